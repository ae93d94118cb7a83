import ReactiveServer
package import ReactiveSignals

/// One value that is loaded when it is first needed, and again after a change.
package struct Settings<Value: Sendable, Failure: Error>: Sendable {
    private let current: SignalProducer<Value, Failure>

    /// - Parameter changes: Sends when the value has changed, such as a notification of the database.
    package init(
        changes: Signal<Void, Never>, load: @escaping @Sendable () async throws(Failure) -> Value
    ) {
        current = SignalProducer.async { () async throws(Failure) in try await load() }
            .cached(until: changes)
    }

    /// Returns `nil` only if the task is cancelled.
    package func value() async throws(Failure) -> Value? { try await current.last() }
}

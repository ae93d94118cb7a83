package import ReactiveSignals

/// What a check says.
package enum HealthStatus: Hashable, Sendable {
    case passing
    case failing(_ reason: String)
}

/// A named check of one part of the process.
package struct HealthCheck: Sendable {
    package let name: String
    package let status: Property<HealthStatus>

    /// A check whose status is a property.
    package init(_ name: String, _ status: some PropertyProtocol<HealthStatus>) {
        self.name = name
        self.status = Property(capturing: status)
    }

    /// A check that calls an async function immediately and then at an interval, not once per request.
    ///
    /// - Parameters:
    ///   - limit: The time after which a call counts as failed. Shorter than the interval.
    ///   - check: Throws if something is wrong.
    package static func polling(
        _ name: String, every interval: Duration, timeout limit: Duration, on scheduler: some DelayScheduler,
        _ check: @escaping @Sendable () async throws -> Void
    ) -> HealthCheck {
        let call = SignalProducer.async { () async -> HealthStatus in
            do {
                try await check()
                return .passing
            } catch {
                return .failing("\(error)")
            }
        }
        .timeout(after: limit, raising: TimedOut(), on: scheduler)
        .flatMapError { _ in
            SignalProducer(value: .failing("no answer within \(limit)"))
        }
        let calls = SignalProducer.timer(interval: interval, on: scheduler)
            .flatMap(.throttle) { _ in call }
            .prefix(call)
        return HealthCheck(
            name, Property(initial: .failing("not checked yet"), then: calls))
    }

    private struct TimedOut: Error {}
}

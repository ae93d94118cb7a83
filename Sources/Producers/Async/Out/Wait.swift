public import HotSignals

extension SignalProducer {
    /// Starts the work for its side effects, and waits until it terminates.
    ///
    /// When this method returns, everything that the work attached to its lifetime has been disposed of.
    ///
    /// ```swift
    /// guard case .completed = await migration.wait() else { return }
    /// ```
    ///
    /// - Returns: The terminal event, which is `interrupted` if the task is cancelled, because that interrupts the
    ///   work.
    /// - SeeAlso: ``collectAll()``, ``events(buffering:file:line:)``
    @inlinable @discardableResult
    public nonisolated(nonsending) func wait() async -> Event<Value, Failure> {
        await retrieve { $0.isTerminating } ?? .interrupted
    }

    /// Starts the work, and blocks the thread until it terminates.
    ///
    /// Not for async code: use ``wait()``.
    ///
    /// - Returns: The terminal event.
    @available(*, noasync, message: "it blocks the thread: use `await wait()`")
    @inlinable @discardableResult
    public func blockingWait() -> Event<Value, Failure> {
        blockingRetrieve { $0.isTerminating } ?? .interrupted
    }

    /// The blocking form under the name of the async method, for synchronous code.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingWait()")
    @_documentation(visibility: internal) @discardableResult
    public func wait() -> Event<Value, Failure> { blockingWait() }
}

public import HotSignals

extension SignalProducer {
    /// Starts the work for the sake of its side effects, and waits for its end.
    ///
    /// When this returns, what the work had attached to its lifetime has been disposed of.
    ///
    ///     guard case .completed = await migration.wait() else { return }
    ///
    /// - Returns: The terminal event; `interrupted` if the task is cancelled, which interrupts the work.
    /// - SeeAlso: ``collectAll()``, ``events(buffering:file:line:)``
    @inlinable @discardableResult
    public nonisolated(nonsending) func wait() async -> Event<Value, Failure> {
        await retrieve(where: \.isTerminating) ?? .interrupted
    }

    /// Starts the work, and blocks the thread until its end.
    ///
    /// Not for async code: use ``wait()``.
    ///
    /// - Returns: The terminal event.
    @available(*, noasync, message: "it blocks the thread: use `await wait()`")
    @inlinable @discardableResult
    public func blockingWait() -> Event<Value, Failure> {
        blockingRetrieve(where: \.isTerminating) ?? .interrupted
    }

    /// The blocking form under the name of the one for tasks, for code that is neither `async` nor has heard of the other name.
    @available(*, noasync)
    @available(*, deprecated, renamed: "blockingWait()")
    @_documentation(visibility: internal) @discardableResult
    public func wait() -> Event<Value, Failure> { blockingWait() }
}

public import HotSignals

extension SignalProducer {
    /// Starts the work, waits for its completion, and returns all values.
    ///
    /// Like ``collect()``, but for a task. Buffers every value.
    ///
    /// - Returns: The values, in order; `[]` if there were none. Nil if the work is interrupted, as it is when the task is cancelled: what
    ///   has come until then is discarded.
    /// - Throws: The producer's error.
    /// - SeeAlso: ``last()``, ``values(buffering:file:line:)``
    @inlinable
    public nonisolated(nonsending) func collectAll() async throws(Failure) -> [Value]? {
        let values: SignalProducer<[Value], Failure> = collect()
        return try await values.retrieve()?.retrieved()
    }

    /// Starts the work, and blocks the thread until its completion.
    ///
    /// Not for async code: use ``collectAll()``.
    ///
    /// - Returns: The values, in order; `[]` if there were none. Nil if the work is interrupted.
    /// - Throws: The producer's error.
    @available(*, noasync, message: "it blocks the thread: use `await collectAll()`")
    @inlinable
    public func blockingCollect() throws(Failure) -> [Value]? {
        let values: SignalProducer<[Value], Failure> = collect()
        return try values.blockingRetrieve()?.retrieved()
    }
}

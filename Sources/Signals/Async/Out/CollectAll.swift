extension Signal {
    /// Waits for completion, and returns all values from the call on.
    ///
    /// Like ``collect()``, but for a task. Buffers every value.
    ///
    /// - Returns: The values, in order; `[]` if there were none. Nil if the signal is interrupted, has ended already, or the task is
    ///   cancelled, which disposes of the observation: what has come until then is discarded.
    /// - Throws: The signal's error.
    /// - SeeAlso: ``last()``, ``values(buffering:file:line:)``
    @inlinable
    public nonisolated(nonsending) func collectAll() async throws(Failure) -> [Value]? {
        let values: Signal<[Value], Failure> = collect()
        return try await values.retrieve()?.retrieved()
    }
}

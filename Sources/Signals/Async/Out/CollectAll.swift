extension Signal {
    /// Waits for completion, and returns all values sent after the call.
    ///
    /// Like ``collect()``, but for a task. Buffers every value.
    ///
    /// - Returns: The values, in order, or `[]` if there were none. `nil` if the signal is interrupted or has already
    ///   ended, or if the task is cancelled, which disposes of the observation: values received until then are
    ///   discarded.
    /// - Throws: The signal's error.
    /// - SeeAlso: ``last(file:line:)``, ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func collectAll(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> [Value]? {
        let values: Signal<[Value], Failure> = collect()
        return try await values.retrieve(at: CodeLocation(file, line))?.retrieved()
    }
}

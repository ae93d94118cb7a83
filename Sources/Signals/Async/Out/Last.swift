extension Signal {
    /// Waits for completion, and returns the last value sent before it.
    ///
    /// Like ``take(last:)``, but for a task. Counts values sent after the call.
    ///
    /// - Returns: The value, or `nil` if there was none, or the signal is interrupted or has already ended, or the task
    ///   is cancelled, which disposes of the observation.
    /// - Throws: The signal's error.
    /// - SeeAlso: ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func last(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        try await take(last: 1).retrieve(at: CodeLocation(file, line))?.retrieved()
    }
}

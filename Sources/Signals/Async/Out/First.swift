extension Signal {
    /// Waits for the next value.
    ///
    /// Like ``take(first:)``, but for a task. The signal is observed immediately, on the caller's actor, and
    /// only until the value has arrived.
    ///
    /// ```swift
    /// let reply = try await replies.filter { $0.id == id }.first()
    /// ```
    ///
    /// - Returns: The value, or `nil` if the signal ends without one or has already ended, or the task is cancelled.
    /// - Throws: The signal's error, if that comes first.
    /// - SeeAlso: ``last(file:line:)``, ``single(file:line:)``, ``wait(file:line:)``, ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func first(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        try await take(first: 1).retrieve(at: CodeLocation(file, line))?.retrieved()
    }
}

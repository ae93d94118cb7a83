extension Signal {
    /// Waits for the next value.
    ///
    /// Like ``take(first:file:line:)``, but for a task. The signal is observed immediately, on the caller's actor, and
    /// only until the value has arrived.
    ///
    /// ```swift
    /// let reply = try await replies.filter { $0.id == id }.first()
    /// ```
    ///
    /// - Returns: The value, or `nil` if the signal ends without one or has already ended, or the task is cancelled.
    /// - Throws: The signal's error, if that comes first.
    /// - SeeAlso: ``last()``, ``single()``, ``wait()``, ``values(buffering:file:line:)``
    @inlinable
    public nonisolated(nonsending) func first() async throws(Failure) -> Value? {
        try await take(first: 1).retrieve()?.retrieved()
    }
}

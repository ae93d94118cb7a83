extension Signal {
    /// Waits for completion, and returns the last value that came before it.
    ///
    /// Like ``take(last:file:line:)``, but for a task. Values from the call on count.
    ///
    /// - Returns: The value; nil if there was none, or the signal is interrupted, has ended already, or the task is cancelled, which
    ///   disposes of the observation.
    /// - Throws: The signal's error.
    /// - SeeAlso: ``first()``, ``collectAll()``
    @inlinable
    public nonisolated(nonsending) func last() async throws(Failure) -> Value? {
        try await take(last: 1).retrieve()?.retrieved()
    }
}

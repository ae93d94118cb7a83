extension Signal {
    /// Waits until the signal terminates.
    ///
    /// - Returns: The terminal event, which is ``Event/interrupted`` if the signal has already ended or if the task is
    ///   cancelled, which disposes of the observation.
    /// - SeeAlso: ``collectAll()``, ``events(buffering:file:line:)``
    @inlinable @discardableResult
    public nonisolated(nonsending) func wait() async -> Event<Value, Failure> {
        await retrieve { $0.isTerminating } ?? .interrupted
    }
}

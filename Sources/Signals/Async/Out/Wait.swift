extension Signal {
    /// Waits for the end of the signal.
    ///
    /// - Returns: The terminal event. ``Event/interrupted`` if the signal has ended already, and if the task is cancelled, which disposes
    ///   of the observation.
    /// - SeeAlso: ``collectAll()``, ``events(buffering:file:line:)``
    @inlinable @discardableResult
    public nonisolated(nonsending) func wait() async -> Event<Value, Failure> {
        await retrieve(where: \.isTerminating) ?? .interrupted
    }
}

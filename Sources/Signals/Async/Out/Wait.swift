extension Signal {
    /// Waits until the signal terminates.
    ///
    /// - Returns: The terminal event, which is ``Event/interrupted`` if the signal has already ended or if the task is
    ///   cancelled, which disposes of the observation.
    /// - SeeAlso: ``collectAll(file:line:)``, ``events(buffering:file:line:)``
    @_alwaysEmitIntoClient @discardableResult
    public nonisolated(nonsending) func wait(
        file: StaticString = #fileID, line: UInt = #line
    ) async -> Event<Value, Failure> {
        await retrieve(at: CodeLocation(file, line)) { $0.isTerminating } ?? .interrupted
    }
}

extension Signal {
    /// Waits for completion, and returns the value if there was exactly one.
    ///
    /// It does not wait after a second value, but disposes of the observation and returns `nil`.
    ///
    /// - Returns: The only value sent after the call, or `nil` if there is none or more than one, or the signal is
    ///   interrupted or has already ended, or the task is cancelled.
    /// - Throws: The signal's error, unless a second value comes before it.
    /// - SeeAlso: ``first(file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func single(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> Value? {
        let values: Signal<[Value], Failure> = take(first: 2).collect()
        guard let values = try await values.retrieve(at: CodeLocation(file, line))?.retrieved(), values.count == 1
        else { return nil }
        return values[0]
    }
}

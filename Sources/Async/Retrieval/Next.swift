public import ReactiveProperties

extension PropertyProtocol {
    /// Waits until the value satisfies a condition, and returns that value.
    ///
    /// The current value is checked first, so this method returns immediately if it satisfies the condition. No change
    /// is missed, however brief: the returned value may no longer be the current one.
    ///
    /// ```swift
    /// guard await connection.state.next(where: { $0 == .ready }) != nil else { return }
    /// ```
    ///
    /// - Parameter isWanted: Called on the thread that sets the property, before the setter returns, and for the
    ///   current value on the caller's thread.
    /// - Returns: The value, or `nil` if the property ends first or the task is cancelled, which disposes of the
    ///   observation.
    /// - SeeAlso: ``values(buffering:file:line:)``
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) func next(
        where isWanted: @escaping @Sendable (_ value: Value) -> Bool
    ) async -> Value? {
        await producer.filter(isWanted).first()
    }
}

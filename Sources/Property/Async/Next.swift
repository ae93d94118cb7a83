public import ColdProducers

extension PropertyProtocol {
    /// Waits until the value satisfies a condition, and returns it.
    ///
    /// The first value that is looked at is that of the call, so this returns at once if it is the right one. No change in between is
    /// missed, however short: what is returned may be past already.
    ///
    ///     guard await connection.state.next(where: { $0 == .ready }) != nil else { return }
    ///
    /// - Parameter isWanted: Called on the thread that sets the property, before that returns; the first time by the caller.
    /// - Returns: The value; nil if the property ends without it, or the task is cancelled, which disposes of the observation.
    /// - SeeAlso: ``values(buffering:file:line:)``
    @inlinable
    public nonisolated(nonsending) func next(
        where isWanted: @escaping @Sendable (_ value: Value) -> Bool
    ) async -> Value? {
        await producer.filter(isWanted).first()
    }
}

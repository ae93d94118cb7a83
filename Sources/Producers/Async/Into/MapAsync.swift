extension SignalProducer {
    /// Sends each value transformed by an asynchronous function, of which a few run at a time.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. What waits for room is buffered without a bound, as the source is not
    /// slowed down. To take from a source only what there is room for, have an asynchronous sequence asked for it:
    /// ``SignalProducer/init(pulling:maxConcurrent:_:)-8ockp`` with ``SignalProducer/async(priority:_:)-(_,()->Value)``.
    ///
    /// - Parameters:
    ///   - maxConcurrent: How many transformations may run. Traps unless it is positive.
    ///   - ordered: Whether results are sent in the order of the values.
    ///   - transform: Called once a value. Its task is cancelled when the start is disposed of or ends.
    @inlinable
    public func mapAsync<NewValue: Sendable>(
        maxConcurrent: Int, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) async throws(Failure) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        require(
            maxConcurrent > 0,
            "mapAsync(maxConcurrent: \(maxConcurrent)): the number of transformations must be positive")
        return lift("mapAsync:") {
            $0.mapAsync(maxConcurrent: maxConcurrent, ordered: ordered, transform)
        }
    }
}

extension SignalProducer {
    /// Sends each value transformed by an async function, with a concurrency limit.
    ///
    /// Like ``/HotSignals/Signal/mapAsync(maxConcurrent:ordered:file:line:_:)`` of signals, separately for each start.
    /// Values that wait are buffered without a bound, because the source is not slowed down. To take values from a
    /// source only as capacity allows, use an async sequence:
    /// ``SignalProducer/init(pulling:maxConcurrent:file:line:_:)-3qovs`` with
    /// ``SignalProducer/async(priority:_:)-(_,()->Value)``.
    ///
    /// - Parameters:
    ///   - maxConcurrent: The maximum number of transformations that run at the same time. Traps unless positive.
    ///   - ordered: Whether to send the results in the order of the values.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    ///   - transform: Called once per value. Its task is cancelled when the start ends or is disposed of.
    @inlinable
    public func mapAsync<NewValue: Sendable>(
        maxConcurrent: Int, ordered: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Value) async throws(Failure) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        require(
            maxConcurrent > 0,
            "mapAsync(maxConcurrent: \(maxConcurrent)): the number of transformations must be positive",
            file: file, line: line)
        return lift("mapAsync:") {
            $0.mapAsync(maxConcurrent: maxConcurrent, ordered: ordered, file: file, line: line, transform)
        }
    }
}

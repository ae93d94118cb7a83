extension SignalProducer {
    /// Sends each value transformed by an asynchronous function, of which a few run at a time.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. What waits for room is buffered without a bound, as the source is not
    /// slowed down. To take from a source only what there is room for, have an asynchronous sequence asked for it:
    /// ``SignalProducer/init(pulling:maxConcurrent:file:line:_:)-3qovs`` with
    /// ``SignalProducer/async(priority:_:)-(_,()->Value)``.
    ///
    /// - Parameters:
    ///   - maxConcurrent: How many transformations may run. Traps unless it is positive.
    ///   - ordered: Whether results are sent in the order of the values.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    ///   - transform: Called once a value. Its task is cancelled when the start is disposed of or ends.
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

extension SignalProducer {
    /// Sends the last `count` values as an array with each value, once that many have arrived.
    ///
    /// Like ``/HotSignals/Signal/slidingWindow(_:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values in each array. Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func slidingWindow(
        _ count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<[Value], Failure> {
        require(count > 0, "slidingWindow(\(count)): the count must be positive", file: file, line: line)
        return derive("slidingWindow: #", argument: count) { SlidingWindowSink(count: count, downstream: $0) }
    }
}

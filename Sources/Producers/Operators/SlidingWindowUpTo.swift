extension SignalProducer {
    /// Sends the last values as an array with each value, from the first one on.
    ///
    /// Like ``/HotSignals/Signal/slidingWindow(upTo:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The largest number of values in an array. Traps unless positive.
    @_alwaysEmitIntoClient
    public func slidingWindow(upTo count: Int) -> SignalProducer<[Value], Failure> {
        require(count > 0, "slidingWindow(upTo: \(count)): the count must be positive")
        return derive("slidingWindow(upTo: #)", argument: count) {
            SlidingWindowSink(count: count, sendsShorter: true, downstream: $0)
        }
    }
}

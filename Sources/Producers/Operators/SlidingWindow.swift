extension SignalProducer {
    /// Sends the last `count` values as an array with each value, once that many have arrived.
    ///
    /// Like ``/HotSignals/Signal/slidingWindow(_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: The number of values in each array. Traps unless positive.
    @_alwaysEmitIntoClient
    public func slidingWindow(_ count: Int) -> SignalProducer<[Value], Failure> {
        require(count > 0, "slidingWindow(\(count)): the count must be positive")
        return derive("slidingWindow: #", argument: count) { SlidingWindowSink(count: count, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends, for each value, the values of the last interval.
    ///
    /// Like ``/HotSignals/Signal/slidingWindow(for:on:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - interval: How long a value stays in the window. Traps unless positive.
    ///   - scheduler: Measures the time. Windows are sent on the thread of the value.
    @_alwaysEmitIntoClient
    public func slidingWindow(
        for interval: Duration, on scheduler: some DelayScheduler
    ) -> SignalProducer<[Value], Failure> {
        require(interval > .zero, "slidingWindow(for: \(interval)): the interval must be positive")
        return derive("slidingWindow(for: @)", argument: interval.nanoseconds) {
            SlidingWindowForSink(interval: interval, clock: OperatorClock(scheduler), downstream: $0)
        }
    }
}

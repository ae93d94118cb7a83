extension SignalProducer {
    /// Ignores the values of the first interval.
    ///
    /// Like ``/HotSignals/Signal/skip(for:on:)`` of signals, separately for each start. The interval begins
    /// with the start.
    ///
    /// - Parameters:
    ///   - interval: How long values are ignored. Traps if negative.
    ///   - scheduler: Measures the time. Values are forwarded on their sender's thread.
    @_alwaysEmitIntoClient
    public func skip(for interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "skip(for: \(interval)): the interval must not be negative")
        return derive("skip(for: @)", argument: interval.nanoseconds) {
            SkipForSink(interval: interval, clock: OperatorClock(scheduler), downstream: $0)
        }
    }
}

extension SignalProducer {
    /// Limits the rate of values: at most one an interval, always the latest.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    @inlinable
    public func throttle(_ interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        return lift("throttle: @", argument: interval.nanoseconds, .scheduled) { $0.throttle(interval, on: scheduler) }
    }
}

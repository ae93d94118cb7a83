extension SignalProducer {
    /// Sends each value, and the completion, later.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. The work itself is not delayed.
    ///
    /// - Parameters:
    ///   - interval: How much later. Traps if negative.
    ///   - scheduler: Where observers are called.
    @inlinable
    public func delay(_ interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative")
        return lift("delay: @", argument: interval.nanoseconds, .scheduled) { $0.delay(interval, on: scheduler) }
    }
}

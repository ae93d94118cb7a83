extension SignalProducer {
    /// Sends a value only after the source has been quiet for `interval`.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameters:
    ///   - interval: How long it has to be quiet since the last value. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion drops the value that waits and is scheduled at once. If not, the value is
    ///     sent when it is due, and then the completion.
    @inlinable
    public func debounce(
        _ interval: Duration, on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true
    ) -> SignalProducer {
        require(interval >= .zero, "debounce(\(interval)): the interval must not be negative")
        return lift("debounce: @", argument: interval.nanoseconds, .scheduled) {
            $0.debounce(interval, on: scheduler, discardWhenCompleted: discardWhenCompleted)
        }
    }
}

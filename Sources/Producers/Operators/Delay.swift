extension SignalProducer {
    /// Delays each value and the completion.
    ///
    /// Like ``/HotSignals/Signal/delay(_:on:)`` of signals, separately for each start. The work itself is not
    /// delayed.
    ///
    /// A consumer or an operator downstream that suspends its source suspends the source of this operator, which then
    /// also waits while 256 values are being delayed. Otherwise, their number is unbounded.
    ///
    /// - Parameters:
    ///   - interval: The delay. Traps if negative.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func delay(_ interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative")
        return deriveTimed(
            "delay: @", argument: interval.nanoseconds, on: scheduler, running: DelayMachine(interval: interval),
            holding: Room.queueLimit, goingOnAt: Room.queueLimit / 2)
    }
}

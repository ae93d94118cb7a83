extension SignalProducer {
    /// Delays each value and the completion.
    ///
    /// Like ``/HotSignals/Signal/delay(_:on:)`` of signals, separately for each start. The work itself is not
    /// delayed.
    ///
    /// - Parameters:
    ///   - interval: The delay. Traps if negative.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func delay(_ interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative")
        return deriveTimed(
            "delay: @", argument: interval.nanoseconds, on: scheduler,
            running: DelayMachine(interval: interval))
    }
}

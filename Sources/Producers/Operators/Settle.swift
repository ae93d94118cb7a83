extension SignalProducer {
    /// Sends a value after the source has been quiet for `quiet`, but holds values back for at most `longest`.
    ///
    /// Like ``/HotSignals/Signal/settle(for:atMost:on:discardWhenCompleted:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - quiet: How long the source must be quiet after a value. Traps if negative.
    ///   - longest: How long a value waits at most. Traps if less than `quiet`.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    @_alwaysEmitIntoClient
    public func settle(
        for quiet: Duration, atMost longest: Duration, on scheduler: some DelayScheduler,
        discardWhenCompleted: Bool = true
    ) -> SignalProducer {
        deriveTimed(
            "settle: @", argument: quiet.nanoseconds, on: scheduler,
            running: DebounceMachine(settlingFor: quiet, atMost: longest, discardWhenCompleted: discardWhenCompleted))
    }
}

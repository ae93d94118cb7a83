extension SignalProducer {
    /// Limits the rate of values: sends at most one per interval, always the latest.
    ///
    /// Like ``/HotSignals/Signal/throttle(_:on:latest:discardWhenCompleted:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - latest: Whether the latest value of an interval is sent when the interval is over. If `false`, values that
    ///     arrive during an interval are discarded.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    @_alwaysEmitIntoClient
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, latest: Bool = true, discardWhenCompleted: Bool = true
    ) -> SignalProducer {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        return deriveTimed(
            "throttle: @", argument: interval.nanoseconds, on: scheduler,
            running: ThrottleMachine(interval: interval, latest: latest, discardWhenCompleted: discardWhenCompleted))
    }
}

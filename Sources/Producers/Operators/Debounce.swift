extension SignalProducer {
    /// Sends a value only after the source has been quiet for `interval`.
    ///
    /// Like ``/HotSignals/Signal/debounce(_:on:discardWhenCompleted:)`` of signals, separately for each
    /// start.
    ///
    /// - Parameters:
    ///   - interval: How long the source must be quiet after a value. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    @_alwaysEmitIntoClient
    public func debounce(
        _ interval: Duration, on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true
    ) -> SignalProducer {
        require(interval >= .zero, "debounce(\(interval)): the interval must not be negative")
        return deriveTimed(
            "debounce: @", argument: interval.nanoseconds, on: scheduler,
            running: DebounceMachine(interval: interval, discardWhenCompleted: discardWhenCompleted))
    }
}

extension SignalProducer {
    /// Sends a value only after the source has been quiet for as long as a closure says for that value.
    ///
    /// Like ``/HotSignals/Signal/debounce(on:discardWhenCompleted:by:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    ///   - duration: How long the source must be quiet after the value. Called once per value, on its sender's thread.
    ///     Traps if it returns a negative duration.
    @_alwaysEmitIntoClient
    public func debounce(
        on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true,
        by duration: @escaping @Sendable (Value) -> Duration
    ) -> SignalProducer {
        derive("debounce(by:)", on: scheduler) {
            DurationSink(
                "debounce(by:)", duration, DebounceByMachine(discardWhenCompleted: discardWhenCompleted),
                clock: OperatorClock(scheduler), downstream: GateSink($0))
        }
    }
}

extension SignalProducer {
    /// Attaches to each value the time since the previous one.
    ///
    /// Like ``/HotSignals/Signal/timeInterval(on:)`` of signals, separately for each start. The first value is measured
    /// from the start.
    ///
    /// - Parameter scheduler: Measures the time. Values are forwarded on their sender's thread.
    @_alwaysEmitIntoClient
    public func timeInterval(
        on scheduler: some DelayScheduler
    ) -> SignalProducer<(value: Value, interval: Duration), Failure> {
        derive("timeInterval(on:)") { TimeIntervalSink(clock: OperatorClock(scheduler), downstream: $0) }
    }
}

extension SignalProducer {
    /// Attaches to each value the instant at which it arrived.
    ///
    /// Like ``/HotSignals/Signal/timestamped(on:)`` of signals, separately for each start.
    ///
    /// - Parameter scheduler: Provides the instants. Values are forwarded on their sender's thread.
    @_alwaysEmitIntoClient
    public func timestamped<S: DelayScheduler>(
        on scheduler: S
    ) -> SignalProducer<(value: Value, instant: S.Instant), Failure> {
        derive("timestamped(on:)") { MapSink(transform: { (value: $0, instant: scheduler.now) }, downstream: $0) }
    }
}

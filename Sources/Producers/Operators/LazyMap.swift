extension SignalProducer {
    /// Sends the latest value, transformed on a scheduler.
    ///
    /// Like ``/HotSignals/Signal/lazyMap(on:transform:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - scheduler: Where `transform` and observers are called.
    ///   - transform: Called once for each value that is not superseded.
    @_alwaysEmitIntoClient
    public func lazyMap<NewValue: Sendable>(
        on scheduler: some Scheduler, transform: @escaping @Sendable (Value) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("lazyMap:", on: scheduler) {
            TimedSink(
                LatestMachine(), clock: OperatorClock(withoutTime: scheduler),
                downstream: MapSink(transform: transform, downstream: GateSink($0)))
        }
    }
}

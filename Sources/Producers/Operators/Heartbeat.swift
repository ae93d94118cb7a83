extension SignalProducer {
    /// Inserts a value whenever the source has been silent for an interval.
    ///
    /// Like ``/HotSignals/Signal/heartbeat(every:on:_:)`` of signals, separately for each start. The first
    /// interval begins with the start.
    ///
    /// The time for which a consumer or an operator downstream suspends the source does not count. While it has no
    /// room, nothing is inserted.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. Traps unless positive.
    ///   - scheduler: Measures the time, and sends the inserted values.
    ///   - value: Creates an inserted value, on the scheduler.
    @_alwaysEmitIntoClient
    public func heartbeat(
        every interval: Duration, on scheduler: some DelayScheduler,
        _ value: @escaping @Sendable () -> Value
    ) -> SignalProducer {
        require(interval > .zero, "heartbeat(every: \(interval)): the interval must be positive")
        return watch(
            "heartbeat(every: @)", WatchMachine(interval: interval, sendsAlerts: true), on: scheduler,
            // A consumer that does not keep up would never catch up.
            alert: { core in
                FilterSink(
                    isIncluded: { [senders = core.senders] _ in senders?.makesSendersWait != true },
                    downstream: MapSink(transform: { _ in value() }, downstream: GateSink(core)))
            })
    }
}

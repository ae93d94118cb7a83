extension Signal {
    /// Inserts a value whenever the source has been silent for an interval.
    ///
    /// Use it to keep a connection alive that closes when nothing is sent.
    ///
    /// ```marbles
    /// source                                                   --1-2-----------3-|
    /// source.heartbeat(every: .seconds(5), on: clock) { 0 }    --1-2----0----0-3-|
    /// ```
    ///
    /// The interval runs from this call, from each value, and from each inserted value, always from when the observer
    /// has handled the value: its own time is not silence. Values are forwarded on their sender's thread. Terminal
    /// events are forwarded, and end the heartbeat. Buffers nothing. Costs a reading of the scheduler's clock per
    /// value, but no timer.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. Traps unless positive.
    ///   - scheduler: Measures the time, and sends the inserted values.
    ///   - value: Creates an inserted value, on the scheduler.
    @_alwaysEmitIntoClient
    public func heartbeat(
        every interval: Duration, on scheduler: some DelayScheduler,
        _ value: @escaping @Sendable () -> Value
    ) -> Signal {
        require(interval > .zero, "heartbeat(every: \(interval)): the interval must be positive")
        return watch(
            "heartbeat(every: @)", WatchMachine(interval: interval, sendsAlerts: true), on: scheduler,
            alert: { MapSink(transform: { _ in value() }, downstream: GateSink($0)) })
    }
}

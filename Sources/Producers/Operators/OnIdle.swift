extension SignalProducer {
    /// Calls a closure whenever the source has been silent for an interval.
    ///
    /// Like ``/HotSignals/Signal/onIdle(_:on:_:)`` of signals, separately for each start. The first interval
    /// begins with the start. The time for which a consumer or an operator downstream suspends the source does not
    /// count.
    ///
    /// - Parameters:
    ///   - interval: The silence after which `action` is called. Traps unless positive.
    ///   - scheduler: Measures the time, and runs `action`.
    ///   - action: Receives the time since the observer has handled the last value.
    @_alwaysEmitIntoClient
    public func onIdle(
        _ interval: Duration, on scheduler: some DelayScheduler,
        _ action: @escaping @Sendable (_ idle: Duration) -> Void
    ) -> SignalProducer {
        require(interval > .zero, "onIdle(\(interval)): the interval must be positive")
        return watch(
            "onIdle: @", WatchMachine(interval: interval), on: scheduler,
            alert: { AlertSink($0, action) })
    }
}

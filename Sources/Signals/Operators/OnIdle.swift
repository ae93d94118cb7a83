extension Signal {
    /// Calls a closure whenever the source has been silent for an interval.
    ///
    /// ```swift
    /// let (readings, input) = Signal<Int, Never>.pipe()
    /// let watched = readings.onIdle(.seconds(30), on: QueueScheduler()) { idle in print("nothing for", idle) }
    /// ```
    ///
    /// The interval runs from this call, and from when the observer has handled a value: its own time is not silence.
    /// As long as the silence continues, the closure is called again after each further interval, never twice at the
    /// same time. Values are forwarded on their sender's thread, and do not wait for the closure. Terminal events are
    /// forwarded, and end the calls. Costs a reading of the scheduler's clock per value, but no timer.
    ///
    /// - Parameters:
    ///   - interval: The silence after which `action` is called. Traps unless positive.
    ///   - scheduler: Measures the time, and runs `action`.
    ///   - action: Receives the time since the observer has handled the last value.
    @_alwaysEmitIntoClient
    public func onIdle(
        _ interval: Duration, on scheduler: some DelayScheduler,
        _ action: @escaping @Sendable (_ idle: Duration) -> Void
    ) -> Signal {
        require(interval > .zero, "onIdle(\(interval)): the interval must be positive")
        return watch(
            "onIdle: @", WatchMachine(interval: interval), on: scheduler,
            alert: { AlertSink($0, action) })
    }
}

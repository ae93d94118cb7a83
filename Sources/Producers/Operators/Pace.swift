extension SignalProducer {
    /// Sends at most one value per interval, and lets the others wait.
    ///
    /// Like ``/HotSignals/Signal/pace(every:on:buffer:whenFull:raising:)`` of signals, separately for each
    /// start.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps unless positive.
    ///   - scheduler: Where observers are called.
    ///   - limit: How many values may wait. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func pace(
        every interval: Duration, on scheduler: some DelayScheduler, buffer limit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> SignalProducer {
        let machine = RateLimitMachine<Value, Failure>(
            pacing: interval, buffer: limit, whenFull: overflow, raising: error)
        return deriveTimed("pace(every: @)", argument: interval.nanoseconds, on: scheduler, running: machine)
    }
}

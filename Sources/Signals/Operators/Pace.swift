extension Signal {
    /// Sends at most one value per interval, and lets the others wait.
    ///
    /// Unlike ``throttle(_:on:latest:discardWhenCompleted:)``, drops nothing until the buffer is full.
    ///
    /// ```marbles
    /// source                                                                          --123---------4--|
    /// source.pace(every: .seconds(4), on: clock, buffer: 9, whenFull: .dropOldest)    --1---2---3---4--|
    /// ```
    ///
    /// The first value is scheduled immediately, and each further one when the interval since the previous one is over.
    /// The completion follows the last value. An error or an interruption is scheduled immediately and discards the
    /// values that wait. Disposal also discards them. Each value waits for a timer of its own, and a late timer delays
    /// all further values. For intervals below some milliseconds, `rateLimit` with a burst keeps its rate instead.
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
    ) -> Signal {
        let machine = RateLimitMachine<Value, Failure>(
            pacing: interval, buffer: limit, whenFull: overflow, raising: error)
        return deriveTimed("pace(every: @)", argument: interval.nanoseconds, on: scheduler, running: machine)
    }
}

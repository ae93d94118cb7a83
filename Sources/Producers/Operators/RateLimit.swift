extension SignalProducer {
    /// Limits the number of values per period, and lets those beyond it wait.
    ///
    /// Like ``/HotSignals/Signal/rateLimit(_:per:burst:buffer:whenFull:raising:on:)`` of signals, separately
    /// for each start. To limit starts, or several streams together, use a `RateLimiter` of ReactiveServer.
    ///
    /// - Parameters:
    ///   - count: How many values are sent per period over time. Traps unless positive.
    ///   - period: Traps unless positive.
    ///   - burst: How many values are sent at once after a quiet time. Traps unless positive. `count` if `nil`.
    ///   - limit: How many values may wait. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func rateLimit(
        _ count: Int, per period: Duration, burst: Int? = nil, buffer limit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        let machine = RateLimitMachine<Value, Failure>(
            count, per: period, burst: burst, buffer: limit, whenFull: overflow, raising: error)
        return deriveTimed("rateLimit: #", argument: count, on: scheduler, running: machine)
    }
}

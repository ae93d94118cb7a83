extension Signal {
    /// Limits the number of values per period, and lets those beyond it wait.
    ///
    /// A token bucket: at most `burst` values are sent at once, and `count` per period over time. No period contains
    /// more than `burst + count` values.
    ///
    /// ```marbles
    /// source                                                                                          12345---------|
    /// source.rateLimit(1, per: .seconds(3), burst: 2, buffer: 9, whenFull: .dropOldest, on: clock)    12-3--4--5----|
    /// ```
    ///
    /// A value that arrives when there is room is scheduled immediately. The completion follows the last value. An
    /// error or an interruption is scheduled immediately and discards the values that wait. Disposal also discards
    /// them. To limit several streams together, use the type `RateLimiter`.
    ///
    /// **Late schedulers**: waiting values leave at the full rate as long as the scheduler runs its actions no later
    /// than `burst - 1` times the time per value. If it is later, the rate is lower, because a limiter that made up for
    /// more would send more than `burst` values at once. The timers of a system are often late by a tenth of a
    /// millisecond, and by milliseconds under load. So for thousands of values per second, choose a burst for 10
    /// milliseconds or more: 200 at 20,000 per second.
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
    ) -> Signal {
        let machine = RateLimitMachine<Value, Failure>(
            count, per: period, burst: burst, buffer: limit, whenFull: overflow, raising: error)
        return deriveTimed("rateLimit: #", argument: count, on: scheduler, running: machine)
    }
}

/// Lets values wait until a token bucket has room.
///
/// The bucket is one time, at which it will be full again. Each value moves that time on by the interval of one value.
@frozen @usableFromInline
package struct RateLimitMachine<Value: Sendable, Failure: Error>: TimedMachine {
    /// The time per value.
    @usableFromInline let interval: Duration
    /// How far `fullAt` may be in the future when a value is sent.
    @usableFromInline let tolerance: Duration
    @usableFromInline var fullAt = Duration.zero
    @usableFromInline var queue: BoundedQueue<Value, Failure>

    @_alwaysEmitIntoClient
    package init(
        _ count: Int, per period: Duration, burst: Int?, buffer limit: Int, whenFull overflow: Overflow,
        raising error: Failure?
    ) {
        require(count > 0, "rateLimit(\(count)): the count must be positive")
        require(period > .zero, "rateLimit(per: \(period)): the period must be positive")
        let burst = burst ?? count
        require(burst > 0, "rateLimit(burst: \(burst)): the burst must be positive")
        overflow.require(for: "rateLimit", (label: "buffer", value: limit), hasError: error != nil)
        // Times are added to both.
        let longest = Int128.max / 4
        // Rounded up, so that the rate is never exceeded.
        let interval = Swift.min((period.attoseconds - 1) / Int128(count) + 1, longest)
        self.interval = Duration(attoseconds: interval)
        let (tolerance, isTooLong) = interval.multipliedReportingOverflow(by: Int128(burst) - 1)
        self.tolerance = Duration(attoseconds: isTooLong ? longest : Swift.min(tolerance, longest))
        queue = BoundedQueue(limit: limit, overflow, raising: error)
    }

    @_alwaysEmitIntoClient
    package init(pacing interval: Duration, buffer limit: Int, whenFull overflow: Overflow, raising error: Failure?) {
        require(interval > .zero, "pace(every: \(interval)): the interval must be positive")
        overflow.require(for: "pace", (label: "buffer", value: limit), hasError: error != nil)
        self.interval = Swift.min(interval, Duration(attoseconds: .max / 4))
        tolerance = .zero
        queue = BoundedQueue(limit: limit, overflow, raising: error)
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? {
        if queue.values.isEmpty { return queue.termination == nil ? nil : .zero }
        return fullAt - tolerance
    }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> Queue<Value>? { queue.append(value) }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Queue<Value>? {
        if queue.termination == nil { queue.termination = termination }
        return termination.isCompletion ? nil : queue.clear()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        if queue.values.isEmpty { return queue.termination?.event() }
        guard fullAt - tolerance <= now else { return nil }
        fullAt = max(fullAt, now) + interval
        return queue.popFirst().map(Event.next)
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Queue<Value>? { queue.clear() }
}

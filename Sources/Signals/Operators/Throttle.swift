extension Signal {
    /// Limits the rate of values: sends at most one per interval, always the latest.
    ///
    /// Like ``debounce(_:on:discardWhenCompleted:)``, but values are also sent during a burst.
    ///
    /// ```marbles
    /// source                                     --1-2-3-4----------5--|
    /// source.throttle(.seconds(5), on: clock)    --1----3----4------5--|
    /// ```
    ///
    /// The first value is scheduled immediately. After that, the latest value is scheduled when the interval since the
    /// last *sent* value is over. A terminal event is scheduled immediately. It discards a pending value whose interval
    /// is not over. A value that is due, such as the first, is sent before the terminal event. Disposal discards both.
    /// Buffers one value. If the scheduler's clock is set back, the current interval goes on from where it was.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - latest: Whether the latest value of an interval is sent when the interval is over. If `false`, values that
    ///     arrive during an interval are discarded.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    @_alwaysEmitIntoClient
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, latest: Bool = true, discardWhenCompleted: Bool = true
    ) -> Signal {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        return deriveTimed(
            "throttle: @", argument: interval.nanoseconds, on: scheduler,
            running: ThrottleMachine(interval: interval, latest: latest, discardWhenCompleted: discardWhenCompleted))
    }
}

/// Holds the latest value until it may be sent.
@frozen @usableFromInline
package struct ThrottleMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline let interval: Duration
    /// Whether a value that arrives during an interval is sent when the interval is over.
    @usableFromInline let latest: Bool
    @usableFromInline let discardWhenCompleted: Bool
    @usableFromInline var pending: Value?
    /// When the pending value may be sent.
    @usableFromInline var due = Duration.zero
    /// When the interval that began with the last sent value is over.
    @usableFromInline var nextDue = Duration.zero
    @usableFromInline var termination: Termination<Failure>?

    @_alwaysEmitIntoClient
    package init(interval: Duration, latest: Bool = true, discardWhenCompleted: Bool = true) {
        self.interval = interval.limitedForSums
        self.latest = latest
        self.discardWhenCompleted = discardWhenCompleted
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { pending != nil ? due : termination != nil ? .zero : nil }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> Value? {
        // Without `latest`, the first value of an interval is the only one, even while it waits for the scheduler.
        if !latest, pending != nil || now < nextDue { return value }
        if pending == nil { due = max(now, nextDue) }
        return exchange(&pending, with: value)
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Value? {
        self.termination = termination
        return due <= now || termination.isCompletion && !discardWhenCompleted ? nil : pending.take()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        if pending == nil { return termination?.event() }
        guard due <= now else { return nil }
        nextDue = now + interval
        return pending.take().map(Event.next)
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Value? { pending.take() }
}

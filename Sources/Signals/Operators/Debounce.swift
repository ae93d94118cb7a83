extension Signal {
    /// Sends a value only after the source has been quiet for `interval`.
    ///
    /// Like ``throttle(_:on:latest:discardWhenCompleted:)``, but a burst yields only its last value, after it is over.
    ///
    /// ```marbles
    /// source                                     --1-2-3--------4--|
    /// source.debounce(.seconds(5), on: clock)    -----------3------|
    /// ```
    ///
    /// The 4 is discarded, because the source completes before it is due.
    ///
    /// An error or an interruption is scheduled immediately and discards the pending value. Disposal also discards it.
    /// Buffers one value.
    ///
    /// - Parameters:
    ///   - interval: How long the source must be quiet after a value. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    @_alwaysEmitIntoClient
    public func debounce(
        _ interval: Duration, on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true
    ) -> Signal {
        require(interval >= .zero, "debounce(\(interval)): the interval must not be negative")
        return deriveTimed(
            "debounce: @", argument: interval.nanoseconds, on: scheduler,
            running: DebounceMachine(interval: interval, discardWhenCompleted: discardWhenCompleted))
    }
}

/// Holds the latest value until no value has arrived for the interval, or until the first one that it has held back
/// since it last sent has waited for the longest time.
@frozen @usableFromInline
package struct DebounceMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline let interval: Duration
    @usableFromInline let longest: Duration?
    @usableFromInline let discardWhenCompleted: Bool
    @usableFromInline var pending: Value?
    /// When the pending value must be sent at the latest.
    @usableFromInline var latest = Duration.zero
    /// When the pending value may be sent.
    @usableFromInline var due = Duration.zero
    @usableFromInline var termination: Termination<Failure>?

    @inlinable
    package init(interval: Duration, atMost longest: Duration? = nil, discardWhenCompleted: Bool) {
        self.interval = interval.limitedForSums
        self.longest = longest?.limitedForSums
        self.discardWhenCompleted = discardWhenCompleted
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { pending != nil ? due : termination != nil ? .zero : nil }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> Value? {
        receive(value, quietFor: interval, at: now)
    }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, quietFor interval: Duration, at now: Duration) -> Value? {
        due = now + interval
        if let longest {
            if pending == nil { latest = now + longest }
            due = Swift.min(due, latest)
        }
        return exchange(&pending, with: value)
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Value? {
        self.termination = termination
        return termination.isCompletion && !discardWhenCompleted ? nil : pending.take()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        if pending == nil { return termination?.event() }
        return due <= now ? pending.take().map(Event.next) : nil
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Value? { pending.take() }
}

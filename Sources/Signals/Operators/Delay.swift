extension Signal {
    /// Delays each value and the completion.
    ///
    /// ```marbles
    /// source                                  --1--2--3--|
    /// source.delay(.seconds(4), on: clock)    ------1--2--3--|
    /// ```
    ///
    /// Preserves the order. An error or an interruption is not delayed: it is scheduled immediately and discards the
    /// pending events. Disposal also discards them. Buffers the events of one interval. The senders of a signal of
    /// ``pipe(capacity:file:line:)`` wait while 256 and its capacity are buffered.
    ///
    /// - Parameters:
    ///   - interval: The delay. Traps if negative.
    ///   - scheduler: Where observers are called.
    @_alwaysEmitIntoClient
    public func delay(_ interval: Duration, on scheduler: some DelayScheduler) -> Signal {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative")
        return deriveTimed(
            "delay: @", argument: interval.nanoseconds, on: scheduler, running: DelayMachine(interval: interval),
            holding: Room.queueLimit)
    }
}

/// Buffers events until they are due.
@frozen @usableFromInline
package struct DelayMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @frozen @usableFromInline
    package struct Pending: Sendable {
        @usableFromInline let due: Duration
        @usableFromInline let event: Event<Value, Failure>

        @_alwaysEmitIntoClient
        init(due: Duration, event: Event<Value, Failure>) {
            self.due = due
            self.event = event
        }
    }

    @usableFromInline let interval: Duration
    @usableFromInline var pending = Queue<Pending>()
    /// An error or an interruption, which is not delayed.
    @usableFromInline var termination: Termination<Failure>?

    @_alwaysEmitIntoClient
    package init(interval: Duration) { self.interval = interval.limitedForSums }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { termination != nil ? .zero : pending.first?.due }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> Queue<Pending>? {
        pending.append(Pending(due: now + interval, event: .next(value)))
        return nil
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Queue<Pending>? {
        if termination.isCompletion {
            pending.append(Pending(due: now + interval, event: .completed))
            return nil
        }
        self.termination = termination
        return clear()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        if let termination { return termination.event() }
        guard let first = pending.first, first.due <= now else { return nil }
        return pending.popFirst()?.event
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Queue<Pending>? { exchange(&pending, with: Queue()) }
}

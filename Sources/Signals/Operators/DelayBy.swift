extension Signal {
    /// Delays each value for as long as a closure says for that value.
    ///
    /// Like ``delay(_:on:)``, but does **not** preserve the order: a value is sent when its own delay is over, even if
    /// earlier values are still waiting. RxJava's `delay` with a function does the same. Values that are due at the
    /// same instant keep their order.
    ///
    /// ```marbles
    /// source                                      --6--1--2|
    /// source.delay(on: clock) { .seconds($0) }    ------1-6-2|
    /// ```
    ///
    /// The completion is sent after the last value that is waiting, or immediately if there is none. An error or an
    /// interruption is scheduled immediately and discards the waiting values. Disposal also discards them. Buffers all
    /// values that are not due, without a limit. Each value costs logarithmic time in their number.
    ///
    /// - Parameters:
    ///   - scheduler: Where observers are called.
    ///   - duration: The delay of a value. Called once per value, on its sender's thread. Traps if it returns a
    ///     negative duration.
    @_alwaysEmitIntoClient
    public func delay(
        on scheduler: some DelayScheduler, by duration: @escaping @Sendable (Value) -> Duration
    ) -> Signal {
        derive("delay(by:)", on: scheduler, passesSuspension: true) { core in
            StockedSink(core.makeStock(share: Room.queueLimit), sendingTo: core) {
                DurationSink(
                    "delay(by:)", duration, DelayByMachine(), clock: OperatorClock(scheduler), downstream: $0)
            }
        }
    }
}

/// Buffers values until they are due, each at its own time.
@frozen @usableFromInline
package struct DelayByMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline var pending = PriorityQueue<Duration, Value>()
    @usableFromInline var termination: Termination<Failure>?

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { pending.firstKey ?? (termination != nil ? .zero : nil) }

    @_alwaysEmitIntoClient
    package mutating func receive(
        _ value: ValueDuration<Value>, at now: Duration
    ) -> PriorityQueue<Duration, Value>? {
        pending.insert(value.value, at: now + value.duration)
        return nil
    }

    @_alwaysEmitIntoClient
    package mutating func end(
        _ termination: Termination<Failure>, at now: Duration
    ) -> PriorityQueue<Duration, Value>? {
        self.termination = termination
        return termination.isCompletion ? nil : clear()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        if pending.isEmpty { return termination?.event() }
        return pending.popFirst(through: now).map { .next($0.element) }
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> PriorityQueue<Duration, Value>? { exchange(&pending, with: PriorityQueue()) }
}

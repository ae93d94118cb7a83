extension Signal {
    /// Sends a value only after the source has been quiet for as long as a closure says for that value.
    ///
    /// Like ``debounce(_:on:discardWhenCompleted:)``, but some values can wait longer than others, or not at all: a
    /// search can wait for a pause while the user types, and begin at once when they press Return. Kotlin's flows
    /// have such a `debounce`, which sends the last value when the source completes: `discardWhenCompleted: false`.
    ///
    /// ```marbles
    /// source                                   --1-2-----3-1-4-|
    /// source.debounce(on: clock,
    ///     by: { .seconds($0 > 2 ? 0 : 4) })    --------2-3---4-|
    /// ```
    ///
    /// A value replaces the one that is waiting, however long either of them waits. With a duration of zero, the value
    /// is scheduled immediately. An error or an interruption is scheduled immediately and discards the pending value.
    /// Disposal also discards it. Buffers one value.
    ///
    /// - Parameters:
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    ///   - duration: How long the source must be quiet after the value. Called once per value, on its sender's thread.
    ///     Traps if it returns a negative duration.
    @_alwaysEmitIntoClient
    public func debounce(
        on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true,
        by duration: @escaping @Sendable (Value) -> Duration
    ) -> Signal {
        derive("debounce(by:)", on: scheduler) {
            DurationSink(
                "debounce(by:)", duration, DebounceByMachine(discardWhenCompleted: discardWhenCompleted),
                clock: OperatorClock(scheduler), downstream: GateSink($0))
        }
    }
}

/// A debounce whose interval comes with each value.
@frozen @usableFromInline
package struct DebounceByMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline var debounce: DebounceMachine<Value, Failure>

    @_alwaysEmitIntoClient
    package init(discardWhenCompleted: Bool) {
        debounce = DebounceMachine(interval: .zero, discardWhenCompleted: discardWhenCompleted)
    }

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { debounce.wakeUp }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: ValueDuration<Value>, at now: Duration) -> Value? {
        debounce.receive(value.value, quietFor: value.duration, at: now)
    }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Value? {
        debounce.end(termination, at: now)
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? { debounce.nextEvent(at: now) }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Value? { debounce.clear() }
}

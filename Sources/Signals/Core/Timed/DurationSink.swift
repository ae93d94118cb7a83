/// A value, and a duration that the user's closure has returned for it.
@frozen @usableFromInline
package struct ValueDuration<Value: Sendable>: Sendable {
    @usableFromInline package let value: Value
    @usableFromInline package let duration: Duration

    @_alwaysEmitIntoClient
    package init(_ value: Value, _ duration: Duration) {
        self.value = value
        self.duration = duration
    }
}

/// Asks the user's closure for the duration of each value, on the sender's thread and under no lock, and passes both to
/// a timed operator.
@frozen @usableFromInline
package struct DurationSink<Value: Sendable, Machine: TimedMachine, Downstream: Sink>: WorkingSink
where
    Machine.Value == ValueDuration<Value>, Downstream.Value == Machine.Output, Downstream.Failure == Machine.Failure
{
    @usableFromInline let name: StaticString
    @usableFromInline let duration: @Sendable (Value) -> Duration
    @usableFromInline let timed: TimedSink<Machine, Downstream>

    /// - Parameter name: The operator, for the trap if the closure returns a negative duration.
    @_alwaysEmitIntoClient
    package init(
        _ name: StaticString, _ duration: @escaping @Sendable (Value) -> Duration, _ machine: Machine,
        clock: OperatorClock, downstream: Downstream
    ) {
        self.name = name
        self.duration = duration
        timed = TimedSink(machine, clock: clock, downstream: downstream)
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        guard !timed.hasEnded else { return }
        let duration = duration(value)
        require(
            duration >= .zero, "\(name): the closure returned \(duration), but a duration must not be negative")
        timed.next(ValueDuration(value, duration.limitedForSums))
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Machine.Failure>) { timed.end(termination) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { timed.hasEnded }

    /// Does not retain the user's closure, which is released when the source ends.
    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { timed.stopWork }
}

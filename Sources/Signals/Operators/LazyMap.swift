extension Signal {
    /// Sends the latest value, transformed on a scheduler.
    ///
    /// Like ``map(_:)-((Value)->NewValue)`` after ``observe(on:)``, but a value that is superseded before the scheduler
    /// runs is never transformed. Use it for work that only matters for the current state, such as drawing it.
    ///
    /// ```marbles
    /// source                                  --12---3--|
    /// source.lazyMap(on: clock) { $0 * 2 }    --4----6--|
    /// ```
    ///
    /// The 1 is never transformed, because the 2 arrives before the scheduler runs.
    ///
    /// A completion or an error is delivered after the pending value. An interruption or disposal discards it. Buffers
    /// one value.
    ///
    /// - Parameters:
    ///   - scheduler: Where `transform` and observers are called.
    ///   - transform: Called once for each value that is not superseded, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func lazyMap<NewValue: Sendable>(
        on scheduler: some Scheduler, transform: @escaping @Sendable (Value) -> NewValue
    ) -> Signal<NewValue, Failure> {
        derive("lazyMap:", on: scheduler) {
            TimedSink(
                LatestMachine(), clock: OperatorClock(withoutTime: scheduler),
                downstream: MapSink(transform: transform, downstream: GateSink($0)))
        }
    }
}

/// Holds the latest value and the terminal event until the scheduler runs the action.
@frozen @usableFromInline
package struct LatestMachine<Value: Sendable, Failure: Error>: TimedMachine {
    @usableFromInline var pending: Value?
    @usableFromInline var termination: Termination<Failure>?
    /// Whether the action of the scheduler has sent a value. A further one is sent by another action.
    @usableFromInline var hasSent = false

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient
    package var wakeUp: Duration? { pending != nil || termination != nil ? .zero : nil }

    @_alwaysEmitIntoClient
    package mutating func receive(_ value: Value, at now: Duration) -> Value? { exchange(&pending, with: value) }

    @_alwaysEmitIntoClient
    package mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Value? {
        self.termination = termination
        guard case .interrupted = termination else { return nil }
        return pending.take()
    }

    @_alwaysEmitIntoClient
    package mutating func nextEvent(at now: Duration) -> Event<Value, Failure>? {
        guard pending != nil, !hasSent else {
            hasSent = false
            return pending == nil ? termination?.event() : nil
        }
        hasSent = true
        return pending.take().map(Event.next)
    }

    @_alwaysEmitIntoClient
    package mutating func clear() -> Value? { pending.take() }
}

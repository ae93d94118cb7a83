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
    @inlinable
    public func lazyMap<NewValue: Sendable>(
        on scheduler: some Scheduler, transform: @escaping @Sendable (Value) -> NewValue
    ) -> Signal<NewValue, Failure> {
        derive("lazyMap:", on: scheduler) {
            LazyMapSink(core: $0, scheduler: scheduler, transform: transform)
        }
    }
}

/// Holds the latest value and the terminal event until the scheduler runs the action.
@usableFromInline
@_fixed_layout
package final class LazyMapSink<Value: Sendable, NewValue: Sendable, Failure: Error>: WorkingSink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: Value?
        @usableFromInline var termination: Termination<Failure>?
        /// Whether an action is scheduled and has not begun.
        @usableFromInline var isScheduled = false
        @usableFromInline var hasEnded = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let alarm = Alarm()
    @usableFromInline let core: Core<NewValue, Failure>
    @usableFromInline let scheduler: any Scheduler
    @usableFromInline let transform: @Sendable (Value) -> NewValue

    @inlinable
    package init(
        core: Core<NewValue, Failure>, scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> NewValue
    ) {
        self.core = core
        self.scheduler = scheduler
        self.transform = transform
    }

    @inlinable
    package func next(_ value: Value) {
        update { state in
            defer { state.pending = value }
            return state.pending
        }
    }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        update { state in
            state.termination = termination
            guard case .interrupted = termination else { return nil }
            return state.pending.take()
        }
    }

    @inlinable
    package var hasEnded: Bool { core.terminated.isRaised }

    /// Changes the state, and schedules an action unless one is already scheduled. Releases what `change` returns
    /// outside the lock.
    @inlinable
    func update(_ change: (inout State) -> Value?) {
        let (released, mustSchedule) = state.withLock { state -> (Value?, Bool) in
            guard !state.hasEnded else { return (nil, false) }
            let released = change(&state)
            defer { state.isScheduled = true }
            return (released, !state.isScheduled)
        }
        withExtendedLifetime(released) {}
        if mustSchedule { alarm.set { scheduler.schedule { self.scheduler.runWithoutTaskLocals { self.run() } } } }
    }

    @inlinable
    func run() {
        let (value, termination) = state.withLock { state in
            state.isScheduled = false
            return (state.pending.take(), state.termination.take())
        }
        if let value, !core.terminated.isRaised { core.sendNext(transform(value)) }
        if let termination { core.sendEnd(termination) }
    }

    @inlinable
    package func stop() {
        let dropped = state.withLock { state in
            state.hasEnded = true
            return state.pending.take()
        }
        alarm.stop()
        withExtendedLifetime(dropped) {}
    }
}

extension Signal {
    /// Delays each value and the completion.
    ///
    /// ```marbles
    /// source                                  --1--2--3--|
    /// source.delay(.seconds(4), on: clock)    ------1--2--3--|
    /// ```
    ///
    /// Preserves the order. An error or an interruption is not delayed: it is scheduled immediately and discards the
    /// pending events. Disposal also discards them. Buffers the events of one interval.
    ///
    /// - Parameters:
    ///   - interval: The delay. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func delay(
        _ interval: Duration, on scheduler: some DelayScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Signal {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative", file: file, line: line)
        return derive("delay: @", argument: interval.nanoseconds, on: scheduler) {
            DelaySink(core: $0, interval: interval, scheduler: scheduler)
        }
    }
}

/// Buffers events until they are due, with one timer for the first of them.
@usableFromInline
@_fixed_layout
package final class DelaySink<Value: Sendable, Failure: Error, S: DelayScheduler>: WorkingSink {
    @frozen @usableFromInline
    struct Pending {
        @usableFromInline let due: S.Instant
        @usableFromInline let event: Event<Value, Failure>

        @inlinable
        init(due: S.Instant, event: Event<Value, Failure>) {
            self.due = due
            self.event = event
        }
    }

    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending = Queue<Pending>()
        /// Whether the timer is set, or due events are being delivered.
        @usableFromInline var isArmed = false
        /// Set by an error, an interruption or disposal. Events that arrive later are dropped.
        @usableFromInline var isCutOff = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let alarm = Alarm()
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let interval: Duration
    @usableFromInline let scheduler: S

    @inlinable
    package init(core: Core<Value, Failure>, interval: Duration, scheduler: S) {
        self.core = core
        self.interval = interval
        self.scheduler = scheduler
    }

    @inlinable
    package func next(_ value: Value) { add(.next(value)) }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        if termination.isCompletion { return add(.completed) }
        let dropped = cutOff()
        alarm.setLast { scheduler.schedule { [core] in core.sendEnd(termination) } }
        withExtendedLifetime(dropped) {}
    }

    @inlinable
    package var hasEnded: Bool { core.terminated.isRaised }

    /// Drops the pending events.
    @inlinable
    package func stop() {
        let dropped = cutOff()
        alarm.stop()
        withExtendedLifetime(dropped) {}
    }

    @inlinable
    func cutOff() -> Queue<Pending> {
        state.withLock { state in
            state.isCutOff = true
            defer { state.pending = Queue() }
            return state.pending
        }
    }

    @inlinable
    func add(_ event: Event<Value, Failure>) {
        let due = scheduler.now.advanced(by: interval)
        let mustArm = state.withLock { state in
            guard !state.isCutOff else { return false }
            state.pending.append(Pending(due: due, event: event))
            defer { state.isArmed = true }
            return !state.isArmed
        }
        if mustArm { arm(for: interval) }
    }

    @inlinable
    func arm(for delay: Duration) {
        alarm.set {
            scheduler.schedule(after: max(.zero, delay)) { self.scheduler.runWithoutTaskLocals { self.deliverDue() } }
        }
    }

    @inlinable
    func takeDue(at now: S.Instant) -> Event<Value, Failure>? {
        // Compared outside the lock, because the scheduler's instants may be the user's. Only the timer removes events
        // from the front, so the due event is still the first one, unless the queue has been cleared.
        guard let due = state.withLock({ $0.pending.first?.due }), due <= now else { return nil }
        return state.withLock { $0.pending.popFirst()?.event }
    }

    @inlinable
    func deliverDue() {
        let now = scheduler.now
        while let event = takeDue(at: now) { core.send(event) }
        let next = state.withLock { state in
            state.isArmed = !state.pending.isEmpty
            return state.pending.first?.due
        }
        if let next { arm(for: scheduler.now.duration(to: next)) }
    }
}

extension Signal {
    /// Sends a value only after the source has been quiet for `interval`.
    ///
    /// Like ``throttle(_:on:file:line:)``, but a burst yields only its last value, after it is over.
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
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func debounce(
        _ interval: Duration, on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Signal {
        require(interval >= .zero, "debounce(\(interval)): the interval must not be negative", file: file, line: line)
        return derive("debounce: @", argument: interval.nanoseconds, on: scheduler) {
            DebounceSink(
                core: $0, interval: interval, scheduler: scheduler, discardWhenCompleted: discardWhenCompleted)
        }
    }
}

/// Holds the latest value until no value has arrived for the interval.
///
/// A new value does not reset the timer. When the timer fires, it is set again for the time that is left.
@usableFromInline
@_fixed_layout
package final class DebounceSink<Value: Sendable, Failure: Error, S: DelayScheduler>: WorkingSink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: Value?
        /// When the pending value may be sent.
        @usableFromInline var due: S.Instant?
        /// The number of values received. Reveals whether a value has arrived while the lock was not held.
        @usableFromInline var count: UInt = 0
        @usableFromInline var isArmed = false
        /// Whether the completion waits for the pending value.
        @usableFromInline var completesAfter = false
        @usableFromInline var hasEnded = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let alarm = Alarm()
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let interval: Duration
    @usableFromInline let scheduler: S
    @usableFromInline let discardWhenCompleted: Bool

    @inlinable
    package init(core: Core<Value, Failure>, interval: Duration, scheduler: S, discardWhenCompleted: Bool) {
        self.core = core
        self.interval = interval
        self.scheduler = scheduler
        self.discardWhenCompleted = discardWhenCompleted
    }

    @inlinable
    package func next(_ value: Value) {
        let due = scheduler.now.advanced(by: interval)
        let (former, mustArm) = state.withLock { state -> ((Value?, S.Instant?), Bool) in
            guard !state.hasEnded else { return ((nil, nil), false) }
            let former = (state.pending, state.due)
            state.pending = value
            state.due = due
            state.count &+= 1
            defer { state.isArmed = true }
            return (former, !state.isArmed)
        }
        withExtendedLifetime(former) {}
        if mustArm { arm(for: interval) }
    }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        if termination.isCompletion, !discardWhenCompleted {
            let mustWait = state.withLock { state in
                state.completesAfter = true
                return state.pending != nil
            }
            if mustWait { return }
        }
        drop()
        alarm.setLast { scheduler.schedule { [core] in core.sendEnd(termination) } }
    }

    @inlinable
    package var hasEnded: Bool { core.terminated.isRaised }

    @inlinable
    package func stop() {
        drop()
        alarm.stop()
    }

    @inlinable
    func drop() {
        let dropped = state.withLock { state in
            state.hasEnded = true
            return state.pending.take()
        }
        withExtendedLifetime(dropped) {}
    }

    @inlinable
    func arm(for delay: Duration) {
        alarm.set { scheduler.schedule(after: delay) { self.scheduler.runWithoutTaskLocals { self.goOff() } } }
    }

    @inlinable
    func goOff() {
        let now = scheduler.now
        while true {
            // Compared outside the lock, because the scheduler's instants may be the user's. So another value may
            // arrive in between.
            let (due, count) = state.withLock { ($0.due, $0.count) }
            if let due, due > now { return arm(for: now.duration(to: due)) }
            let (isUpToDate, value, completes) = state.withLock { state -> (Bool, Value?, Bool) in
                guard state.count == count else { return (false, nil, false) }
                state.isArmed = false
                return (true, state.pending.take(), state.completesAfter)
            }
            guard isUpToDate else { continue }
            if let value {
                core.sendNext(value)
                if completes { core.sendEnd(.completed) }
            }
            return
        }
    }
}

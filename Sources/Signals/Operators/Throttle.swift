extension Signal {
    /// Limits the rate of values: sends at most one per interval, always the latest.
    ///
    /// Like ``debounce(_:on:discardWhenCompleted:file:line:)``, but values are also sent during a burst.
    ///
    /// ```marbles
    /// source                                     --1-2-3-4----------5--|
    /// source.throttle(.seconds(5), on: clock)    --1----3----4------5--|
    /// ```
    ///
    /// The first value is scheduled immediately. After that, the latest value is scheduled when the interval since the
    /// last *sent* value is over. A terminal event is scheduled immediately. It discards a pending value whose interval
    /// is not over. A value that is due, such as the first, is sent before the terminal event. Disposal discards both.
    /// Buffers one value.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Signal {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative", file: file, line: line)
        return derive("throttle: @", argument: interval.nanoseconds, on: scheduler) {
            ThrottleSink(core: $0, interval: interval, scheduler: scheduler)
        }
    }
}

/// Holds the latest value until it may be sent.
@usableFromInline
@_fixed_layout
package final class ThrottleSink<Value: Sendable, Failure: Error, S: DelayScheduler>: WorkingSink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: Value?
        @usableFromInline var lastSent: S.Instant?
        /// When the pending value may be sent. `nil` if it may be sent immediately.
        @usableFromInline var due: S.Instant?
        /// Whether the pending value is scheduled.
        @usableFromInline var isArmed = false
        @usableFromInline var hasEnded = false

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
    package func next(_ value: Value) {
        let now = scheduler.now
        // The previous value is released outside the lock.
        let (former, mustArm, lastSent) = state.withLock { state -> (Value?, Bool, S.Instant?) in
            guard !state.hasEnded else { return (nil, false, nil) }
            let former = state.pending
            state.pending = value
            defer { state.isArmed = true }
            return (former, !state.isArmed, state.lastSent)
        }
        withExtendedLifetime(former) {}
        guard mustArm else { return }
        let delay = delay(since: lastSent, now)
        let due = delay > .zero ? now.advanced(by: delay) : nil
        let formerDue = state.withLock { state in
            defer { state.due = due }
            return state.due
        }
        alarm.set {
            delay > .zero ? scheduler.schedule(after: delay) { self.send() } : scheduler.schedule { self.send() }
        }
        withExtendedLifetime(formerDue) {}
    }

    /// How long a value that arrives now has to wait. Runs outside the lock, because it calls the user's scheduler.
    @inlinable
    func delay(since lastSent: S.Instant?, _ now: S.Instant) -> Duration {
        guard let lastSent, lastSent <= now else { return .zero }
        return max(.zero, now.duration(to: lastSent.advanced(by: interval)))
    }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        // Compared outside the lock, because the instants may be the user's. `due` stays: no more values arrive.
        let due = state.withLock { $0.due }
        if let due, due > scheduler.now { drop() }
        // Takes the place of the action that would have sent a value that is due.
        alarm.setLast {
            scheduler.schedule {
                self.send()
                self.core.sendEnd(termination)
            }
        }
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
    func send() {
        let now = scheduler.now
        let (value, former) = state.withLock { state in
            defer { state.lastSent = now }
            state.isArmed = false
            return (state.pending.take(), state.lastSent)
        }
        if let value { scheduler.runWithoutTaskLocals { core.sendNext(value) } }
        withExtendedLifetime(former) {}
    }
}

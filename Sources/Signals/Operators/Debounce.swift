extension Signal {
    /// Sends a value only after the source has been quiet for `interval`.
    ///
    /// Like ``throttle(_:on:)``, but a burst yields its last value, once it is over.
    ///
    ///     source               --1-2-3--------4--|
    ///     debounce(5, on: s)   -----------3------|      (the 4 that waits is discarded)
    ///
    /// An error or an interruption is scheduled at once and drops the value that waits; so does disposal. Holds one value.
    ///
    /// - Parameters:
    ///   - interval: How long it has to be quiet since the last value. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion drops the value that waits and is scheduled at once. If not, the value is
    ///     sent when it is due, and then the completion.
    public func debounce(
        _ interval: Duration, on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true
    ) -> Signal {
        require(interval >= .zero, "debounce(\(interval)): the interval must not be negative")
        return deriveRoot("debounce: @", argument: interval.nanoseconds) { core, lifetime in
            let debounce = DebounceSink(
                core: core, interval: interval, scheduler: scheduler, discardWhenCompleted: discardWhenCompleted)
            lifetime.observeEnded { debounce.stop() }
            lifetime += observe(through: debounce)
        }
    }
}

/// Holds the latest value until it has been quiet. The timer is not set back with each value: when it goes off it looks how
/// much time is left, and is set again.
private final class DebounceSink<Value: Sendable, Failure: Error, S: DelayScheduler>: Sink {
    private struct State {
        var pending: Value?
        /// When the pending value may be sent.
        var due: S.Instant?
        var isArmed = false
        /// Completion waits for the pending value.
        var completesAfter = false
        var hasEnded = false
    }

    private enum Step {
        case wait(Duration)
        case send(Value, thenComplete: Bool)
        case nothing
    }

    private let state = Locked(State())
    private let alarm = Alarm()
    private let core: Core<Value, Failure>
    private let interval: Duration
    private let scheduler: S
    private let discardWhenCompleted: Bool

    init(core: Core<Value, Failure>, interval: Duration, scheduler: S, discardWhenCompleted: Bool) {
        self.core = core
        self.interval = interval
        self.scheduler = scheduler
        self.discardWhenCompleted = discardWhenCompleted
    }

    func next(_ value: Value) {
        let due = scheduler.now.advanced(by: interval)
        let (former, mustArm) = state.withLock { state -> (Value?, Bool) in
            guard !state.hasEnded else { return (nil, false) }
            let former = state.pending
            state.pending = value
            state.due = due
            defer { state.isArmed = true }
            return (former, !state.isArmed)
        }
        withExtendedLifetime(former) {}
        if mustArm { arm(for: interval) }
    }

    func end(_ termination: Termination<Failure>) {
        if termination.isCompletion, !discardWhenCompleted {
            let mustWait = state.withLock { state in
                state.completesAfter = true
                return state.pending != nil
            }
            if mustWait { return }
        }
        drop()
        alarm.set { scheduler.schedule { [core] in core.sendEnd(termination) } }
    }

    var hasEnded: Bool { core.terminated.isRaised }

    func stop() {
        drop()
        alarm.stop()
    }

    private func drop() {
        let dropped = state.withLock { state in
            state.hasEnded = true
            return state.pending.take()
        }
        withExtendedLifetime(dropped) {}
    }

    private func arm(for delay: Duration) {
        alarm.set { scheduler.schedule(after: delay) { self.goOff() } }
    }

    private func goOff() {
        let now = scheduler.now
        let step = state.withLock { state -> Step in
            if let due = state.due, due > now { return .wait(now.duration(to: due)) }
            state.isArmed = false
            return state.pending.take().map { .send($0, thenComplete: state.completesAfter) } ?? .nothing
        }
        switch step {
        case .wait(let duration): arm(for: duration)
        case .send(let value, let thenComplete):
            core.sendNext(value)
            if thenComplete { core.sendEnd(.completed) }
        case .nothing: break
        }
    }
}

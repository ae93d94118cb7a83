extension Signal {
    /// Limits the rate of values: at most one an interval, always the latest.
    ///
    /// Like ``debounce(_:on:discardWhenCompleted:)``, but values keep coming during a burst.
    ///
    ///     source                --1-2-3-4----------5--|
    ///     throttle(5, on: s)    --1----3----4------5--|
    ///
    /// The first value is scheduled at once; each later one not before the interval since the last *sent* one is over, and then
    /// only the latest. Any terminal event is scheduled at once and drops the value that waits. Holds one value.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    public func throttle(_ interval: Duration, on scheduler: some DelayScheduler) -> Signal {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        return deriveRoot("throttle: @", argument: interval.nanoseconds) { core, lifetime in
            let throttle = ThrottleSink(core: core, interval: interval, scheduler: scheduler)
            lifetime.observeEnded { throttle.stop() }
            lifetime += observe(through: throttle)
        }
    }
}

/// Holds the latest value until it may be sent.
private final class ThrottleSink<Value: Sendable, Failure: Error, S: DelayScheduler>: Sink {
    private struct State {
        var pending: Value?
        var lastSent: S.Instant?
        /// Whether the pending value is scheduled.
        var isArmed = false
        var hasEnded = false
    }

    private let state = Locked(State())
    private let alarm = Alarm()
    private let core: Core<Value, Failure>
    private let interval: Duration
    private let scheduler: S

    init(core: Core<Value, Failure>, interval: Duration, scheduler: S) {
        self.core = core
        self.interval = interval
        self.scheduler = scheduler
    }

    func next(_ value: Value) {
        let now = scheduler.now
        // The former value is released outside the lock.
        let (former, delay) = state.withLock { state -> (Value?, Duration?) in
            guard !state.hasEnded else { return (nil, nil) }
            let former = state.pending
            state.pending = value
            if state.isArmed { return (former, nil) }
            state.isArmed = true
            guard let lastSent = state.lastSent, lastSent <= now else { return (former, .zero) }
            return (former, max(.zero, now.duration(to: lastSent.advanced(by: interval))))
        }
        withExtendedLifetime(former) {}
        guard let delay else { return }
        alarm.set {
            delay > .zero ? scheduler.schedule(after: delay) { self.send() } : scheduler.schedule { self.send() }
        }
    }

    func end(_ termination: Termination<Failure>) {
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

    private func send() {
        let now = scheduler.now
        let value = state.withLock { state in
            state.isArmed = false
            state.lastSent = now
            return state.pending.take()
        }
        if let value { core.sendNext(value) }
    }
}

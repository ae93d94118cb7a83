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
    @inlinable
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
@usableFromInline
@_fixed_layout
final class ThrottleSink<Value: Sendable, Failure: Error, S: DelayScheduler>: Sink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: Value?
        @usableFromInline var lastSent: S.Instant?
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
    init(core: Core<Value, Failure>, interval: Duration, scheduler: S) {
        self.core = core
        self.interval = interval
        self.scheduler = scheduler
    }

    @inlinable
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

    @inlinable
    func end(_ termination: Termination<Failure>) {
        drop()
        alarm.setLast { scheduler.schedule { [core] in core.sendEnd(termination) } }
    }

    @inlinable
    var hasEnded: Bool { core.terminated.isRaised }

    @inlinable
    func stop() {
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
        let value = state.withLock { state in
            state.isArmed = false
            state.lastSent = now
            return state.pending.take()
        }
        if let value { core.sendNext(value) }
    }
}

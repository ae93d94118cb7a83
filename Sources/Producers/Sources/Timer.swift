extension SignalProducer where Failure == Never {
    /// A producer that sends the scheduler's time at regular intervals.
    ///
    /// ```marbles
    /// SignalProducer.timer(interval: .seconds(4), on: clock).mapReplace("x")    ----x---x---x---...
    /// ```
    ///
    /// The first tick comes after one interval. The intervals do not drift. Never completes. Disposal stops it
    /// immediately.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where the ticks are sent.
    ///   - leeway: How late a tick can be, so that the system can coalesce timers. A tenth of the interval by default.
    @_alwaysEmitIntoClient
    public static func timer<S: DelayScheduler>(
        interval: Duration, on scheduler: S, leeway: Duration? = nil
    ) -> SignalProducer where Value == S.Instant {
        require(interval > .zero, "timer(interval: \(interval)): the interval must be positive")
        return SignalProducer(StreamName("timer(interval: @)", argument: interval.nanoseconds)) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            let leeway = leeway ?? interval / 10
            let released = core.interruptWhenReleased()
            start += scheduler.schedule(after: interval, interval: interval, leeway: leeway) {
                core.sendNext(scheduler.now)
                withExtendedLifetime(released) {}
            }
        }
    }

    /// A producer that sends the scheduler's time once, then completes.
    ///
    /// ```marbles
    /// SignalProducer.timer(after: .seconds(3), on: clock).mapReplace("x")    ---x|
    /// ```
    ///
    /// - Parameters:
    ///   - delay: Traps if negative.
    ///   - scheduler: Where the tick is sent.
    @_alwaysEmitIntoClient
    public static func timer<S: DelayScheduler>(
        after delay: Duration, on scheduler: S
    ) -> SignalProducer where Value == S.Instant {
        require(delay >= .zero, "timer(after: \(delay)): the delay must not be negative")
        return SignalProducer(StreamName("timer(after: @)", argument: delay.nanoseconds)) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            let released = core.interruptWhenReleased()
            start += scheduler.schedule(after: delay) {
                core.sendNext(scheduler.now)
                core.sendEnd(.completed)
                withExtendedLifetime(released) {}
            }
        }
    }

    /// A producer that sends the elements of a sequence, one per interval.
    ///
    /// ```marbles
    /// SignalProducer.interval([1, 2], .seconds(4), on: clock)    ----1---2---|
    /// ```
    ///
    /// The first element is sent after one interval, and the completion one interval after the last element. The
    /// intervals do not drift.
    ///
    /// - Parameters:
    ///   - values: Iterated separately for each start, one element per tick.
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where the elements are sent.
    @_alwaysEmitIntoClient
    public static func interval<Values: Sequence & Sendable>(
        _ values: Values, _ interval: Duration, on scheduler: some DelayScheduler
    ) -> SignalProducer where Values.Element == Value {
        require(interval > .zero, "interval(\(interval)): the interval must be positive")
        return SignalProducer(StreamName("interval: @", argument: interval.nanoseconds)) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            // The scheduler is serial, so accesses to the iterator are serial too.
            let rest = SinkState(values.makeIterator())
            let released = core.interruptWhenReleased()
            start += scheduler.schedule(after: interval, interval: interval, leeway: interval / 10) {
                if let value = rest.value.next() { core.sendNext(value) } else { core.sendEnd(.completed) }
                withExtendedLifetime(released) {}
            }
        }
    }
}

extension Core {
    /// Returns an object for an action that sends to this core. When the scheduler has released the action, nothing is
    /// sent any more, so the core is interrupted unless it has ended.
    @usableFromInline
    func interruptWhenReleased() -> ReleasedAction {
        ReleasedAction { if !self.terminated.isRaised { LibraryThread.run { self.sendEnd(.interrupted) } } }
    }
}

extension SignalProducer where Value == Int, Failure == Never {
    /// A producer that counts from 0, one number per interval: see ``interval(_:_:on:)``.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where the numbers are sent.
    @_alwaysEmitIntoClient
    public static func interval(_ interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        self.interval(0..., interval, on: scheduler)
    }
}

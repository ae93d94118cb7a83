extension SignalProducer where Failure == Never {
    /// A producer that sends the scheduler's time again and again.
    ///
    ///     timer(interval: 3, on: s)    ---x---x---x---...
    ///
    /// The first tick comes after one interval; the intervals do not drift. Never completes; disposal stops it at once.
    ///
    /// - Parameters:
    ///   - interval: Traps unless it is positive.
    ///   - scheduler: Where the ticks come.
    ///   - leeway: How late a tick may be, so that the system can bundle timers: a tenth of the interval if not given.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public static func timer<S: DelayScheduler>(
        interval: Duration, on scheduler: S, leeway: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer where Value == S.Instant {
        require(interval > .zero, "timer(interval: \(interval)): the interval must be positive", file: file, line: line)
        return SignalProducer(StreamName("timer(interval: @)", argument: interval.nanoseconds)) { run, sink in
            guard let core = Core.head(of: sink) else { return }
            run += scheduler.schedule(after: interval, interval: interval, leeway: leeway ?? interval / 10) {
                core.sendNext(scheduler.now)
            }
        }
    }

    /// A producer that sends the scheduler's time once, and completes.
    ///
    ///     timer(after: 3, on: s)    ---x|
    ///
    /// - Parameters:
    ///   - delay: Traps if negative.
    ///   - scheduler: Where the tick comes.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public static func timer<S: DelayScheduler>(
        after delay: Duration, on scheduler: S, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer where Value == S.Instant {
        require(delay >= .zero, "timer(after: \(delay)): the delay must not be negative", file: file, line: line)
        return SignalProducer(StreamName("timer(after: @)", argument: delay.nanoseconds)) { run, sink in
            guard let core = Core.head(of: sink) else { return }
            run += scheduler.schedule(after: delay) {
                core.sendNext(scheduler.now)
                core.sendEnd(.completed)
            }
        }
    }

    /// A producer that sends the elements of a sequence, one an interval.
    ///
    ///     interval([1, 2], 3, on: s)    ---1---2---|
    ///
    /// The first comes after one interval, and the completion one interval after the last. The intervals do not drift.
    ///
    /// - Parameters:
    ///   - values: Iterated anew for each start, an element a tick.
    ///   - interval: Traps unless it is positive.
    ///   - scheduler: Where the elements come.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public static func interval<Values: Sequence & Sendable>(
        _ values: Values, _ interval: Duration, on scheduler: some DelayScheduler,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer where Values.Element == Value {
        require(interval > .zero, "interval(\(interval)): the interval must be positive", file: file, line: line)
        return SignalProducer(StreamName("interval: @", argument: interval.nanoseconds)) { run, sink in
            guard let core = Core.head(of: sink) else { return }
            // The scheduler is serial: so is what touches this.
            let rest = SinkState(values.makeIterator())
            run += scheduler.schedule(after: interval, interval: interval, leeway: interval / 10) {
                if let value = rest.value.next() { core.sendNext(value) } else { core.sendEnd(.completed) }
            }
        }
    }
}

extension SignalProducer where Value == Int, Failure == Never {
    /// A producer that counts from 0, a number an interval: see ``interval(_:_:on:file:line:)``.
    ///
    /// - Parameters:
    ///   - interval: Traps unless it is positive.
    ///   - scheduler: Where the numbers come.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public static func interval(
        _ interval: Duration, on scheduler: some DelayScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        self.interval(0..., interval, on: scheduler, file: file, line: line)
    }
}

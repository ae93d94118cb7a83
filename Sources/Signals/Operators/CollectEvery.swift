extension Signal {
    /// Sends the values of each interval as an array.
    ///
    /// Like ``collect(count:file:line:)``, but by time.
    ///
    /// ```marbles
    /// source                                           --1--2-----------3-----...
    /// source.collect(every: .seconds(6), on: clock)    ------[1,2]-[]----[3]--...
    /// ```
    ///
    /// The intervals begin with this call and do not drift. An error or an interruption is scheduled immediately and
    /// discards the collected values. Disposal also discards them. Buffers the values of one interval.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where observers are called.
    ///   - skipEmpty: Whether to send nothing, rather than `[]`, for an interval without values.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the collected values. If
    ///     `false`, both are sent at the end of the interval.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func collect(
        every interval: Duration, on scheduler: some DelayScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true, file: StaticString = #fileID, line: UInt = #line
    ) -> Signal<[Value], Failure> {
        require(interval > .zero, "collect(every: \(interval)): the interval must be positive", file: file, line: line)
        return derive("collect(every: @)", argument: interval.nanoseconds, on: scheduler) {
            CollectEverySink(
                core: $0, every: interval, on: scheduler, skipEmpty: skipEmpty,
                discardWhenCompleted: discardWhenCompleted)
        }
    }
}

/// Collects values and sends them at the end of each interval.
@usableFromInline
@_fixed_layout
package final class CollectEverySink<Value: Sendable, Failure: Error>: WorkingSink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var values: [Value] = []
        /// Whether the completion waits for the end of the interval.
        @usableFromInline var completesAfter = false
        @usableFromInline var hasEnded = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let ticks = Alarm()
    /// Schedules the terminal event.
    @usableFromInline let alarm = Alarm()
    @usableFromInline let core: Core<[Value], Failure>
    @usableFromInline let scheduler: any Scheduler
    @usableFromInline let skipEmpty: Bool
    @usableFromInline let discardWhenCompleted: Bool

    @inlinable
    package init(
        core: Core<[Value], Failure>, every interval: Duration, on scheduler: some DelayScheduler, skipEmpty: Bool,
        discardWhenCompleted: Bool
    ) {
        self.core = core
        self.scheduler = scheduler
        self.skipEmpty = skipEmpty
        self.discardWhenCompleted = discardWhenCompleted
        ticks.set { scheduler.schedule(after: interval, interval: interval, leeway: .zero) { self.flush() } }
    }

    @inlinable
    package func next(_ value: Value) {
        state.withLock { state in
            if !state.hasEnded { state.values.append(value) }
        }
    }

    @inlinable
    package func end(_ termination: Termination<Failure>) {
        if termination.isCompletion, !discardWhenCompleted {
            state.withLock { $0.completesAfter = true }
        } else {
            drop()
            alarm.setLast { scheduler.schedule { [core] in core.sendEnd(termination) } }
        }
    }

    @inlinable
    package var hasEnded: Bool { core.terminated.isRaised }

    @inlinable
    func flush() {
        let taken = state.withLock { state -> (values: [Value], completes: Bool)? in
            guard !state.hasEnded else { return nil }
            defer { state.values = [] }
            return (state.values, state.completesAfter)
        }
        guard let taken else { return }
        scheduler.runWithoutTaskLocals {
            if !taken.values.isEmpty || !skipEmpty { core.sendNext(taken.values) }
            if taken.completes { core.sendEnd(.completed) }
        }
    }

    @inlinable
    package func stop() {
        drop()
        ticks.stop()
        alarm.stop()
    }

    @inlinable
    func drop() {
        let dropped = state.withLock { state in
            state.hasEnded = true
            defer { state.values = [] }
            return state.values
        }
        withExtendedLifetime(dropped) {}
    }
}

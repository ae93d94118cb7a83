/// Forwards events on the sender's thread, and ends the result when the time is up.
@usableFromInline
@_fixed_layout
package final class TimeLimitSink<Downstream: Sink>: SchedulingWork, WorkingSink, @unchecked Sendable {
    // Sendable: the events of the source, which are serial, guard `hasBegun`. The rest is constant.

    @frozen @usableFromInline
    struct State {
        @usableFromInline var alarm = Alarm()
        @usableFromInline var isStopped = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let interval: Duration
    @usableFromInline let termination: Termination<Downstream.Failure>
    @usableFromInline let scheduler: any DelayScheduler
    @exclusivity(unchecked) @usableFromInline var hasBegun: Bool
    @usableFromInline let downstream: Downstream
    @usableFromInline let core: Core<Downstream.Value, Downstream.Failure>

    /// - Parameters:
    ///   - termination: Ends the result when the time is up.
    ///   - waits: Whether the time begins with the first value, and not now.
    ///   - downstream: Receives the events of the source.
    ///   - core: The result.
    @_alwaysEmitIntoClient
    package init(
        of interval: Duration, endingWith termination: Termination<Downstream.Failure>,
        waitingForValue waits: Bool, on scheduler: some DelayScheduler, downstream: Downstream,
        core: Core<Downstream.Value, Downstream.Failure>
    ) {
        self.interval = interval
        self.termination = termination
        self.scheduler = scheduler
        self.downstream = downstream
        self.core = core
        hasBegun = !waits
        super.init()
        if hasBegun { begin() }
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        downstream.next(value)
        if hasBegun { return }
        hasBegun = true
        begin()
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        downstream.end(termination)
        stop()
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { downstream.hasEnded }

    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { { self.stop() } }

    @_alwaysEmitIntoClient
    func stop() {
        let action = state.withLock { state in
            state.isStopped = true
            return state.alarm.clear()
        }
        action?.dispose()
    }

    @_alwaysEmitIntoClient
    func begin() {
        guard let number = state.withLock({ $0.isStopped ? nil : $0.alarm.set() }) else { return }
        let action = PendingAction()
        action.begin(self, number: number)
        let ring: @Sendable () -> Void = {
            guard let (sink, number) = action.take(as: TimeLimitSink.self) else { return }
            sink.scheduler.runWithoutTaskLocals { sink.end(number, sink.termination) }
        }
        let scheduled =
            interval > .zero ? scheduler.schedule(after: interval, leeway: .zero, ring) : scheduler.schedule(ring)
        state.withLock { $0.alarm.keep(scheduled, for: number) }?.dispose()
    }

    /// Ends the result if the alarm still counts.
    @_alwaysEmitIntoClient
    func end(_ number: UInt, _ termination: Termination<Downstream.Failure>) {
        let (isDue, action) = state.withLock { state -> (Bool, (any Disposable)?) in
            guard !state.isStopped, state.alarm.isSet(as: number) else { return (false, nil) }
            state.isStopped = true
            return (true, state.alarm.clear())
        }
        if isDue { core.sendEndWithoutWaiting(termination) }
        withExtendedLifetime(action) {}
    }

    @usableFromInline
    package override func actionWasReleased(_ number: UInt) {
        guard state.withLock({ !$0.isStopped && $0.alarm.isSet(as: number) }) else { return }
        LibraryThread.run { self.end(number, .interrupted) }
    }
}

extension Signal {
    /// Applies an operator that forwards all events, and ends the result when the time is up.
    ///
    /// - Parameters:
    ///   - termination: Sent on the scheduler, which does not wait for an observer.
    ///   - waits: Whether the time begins with the first value, and not now.
    @_alwaysEmitIntoClient
    func limited(
        _ name: StaticString, to interval: Duration, endingWith termination: Termination<Failure>,
        waitingForValue waits: Bool = false, on scheduler: some DelayScheduler
    ) -> Signal {
        derive(name, argument: interval.nanoseconds) { downstream, lifetime in
            let sink = TimeLimitSink(
                of: interval, endingWith: termination, waitingForValue: waits, on: scheduler, downstream: downstream,
                core: downstream.core)
            lifetime.observeEnded(sink.stopWork)
            return sink
        }
    }
}

/// Runs a ``TimedMachine``: with a lock, a timer and a scheduler. What sends no values later has a timer of its own:
/// ``TimeLimitSink``, and what starts producers one after another.
///
/// The source calls it on any thread. It delivers on the scheduler, one action at a time, under the task-locals of no
/// sender. A timer that fires too early is set again for the time that is left, so that values which postpone an event,
/// as in `debounce`, do not set a timer each.
@usableFromInline
@_fixed_layout
package final class TimedSink<Machine: TimedMachine, Downstream: Sink>: SchedulingWork, WorkingSink, @unchecked Sendable
where Downstream.Value == Machine.Output, Downstream.Failure == Machine.Failure {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var machine: Machine
        @usableFromInline var time = SteadyTime()
        @usableFromInline var alarm = Alarm()
        /// When the alarm rings, if it is set.
        @usableFromInline var due = Duration.zero
        @usableFromInline var spareAction: PendingAction?
        /// Whether an action of the scheduler is delivering. It sets the timer again when it is done.
        @usableFromInline var isDelivering = false
        /// What other threads add to that action.
        @usableFromInline var foreign = ForeignWork()
        @usableFromInline var isStopped = false

        @inlinable
        init(_ machine: Machine) { self.machine = machine }

        /// Whether an action is awaited. False for one that has been cancelled.
        @inlinable
        func awaits(_ number: UInt) -> Bool { !isStopped && alarm.isSet(as: number) }
    }

    /// What follows from a change of the machine, outside the lock.
    @frozen @usableFromInline
    struct Effects {
        @usableFromInline var discarded: Machine.Discarded?
        /// Cancels the former action.
        @usableFromInline var former: (any Disposable)?
        /// The new setting of the alarm, if there is one.
        @usableFromInline var setting: (number: UInt, delay: Duration)?
        @usableFromInline var action: PendingAction?

        @inlinable
        init() {}
    }

    @usableFromInline let state: Locked<State>
    @usableFromInline let clock: OperatorClock
    @usableFromInline let downstream: Downstream

    /// - Parameter downstream: Enters the gate of the result by itself.
    @inlinable
    package init(_ machine: Machine, clock: OperatorClock, downstream: Downstream) {
        state = Locked(State(machine))
        self.clock = clock
        self.downstream = downstream
        super.init()
        change { _, _ in nil }
    }

    // MARK: The source

    @_alwaysEmitIntoClient
    package func next(_ value: Machine.Value) {
        change { machine, now in machine.receive(value, at: now) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Machine.Failure>) {
        change { machine, now in machine.end(termination, at: now) }
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { downstream.hasEnded }

    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { { self.stop() } }

    @_alwaysEmitIntoClient
    func stop() {
        let released = state.withLock { state -> (Machine.Discarded?, (any Disposable)?)? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return (state.machine.clear(), state.alarm.clear())
        }
        released?.1?.dispose()
        if let discarded = released?.0 { Machine.release(discarded) }
    }

    // MARK: The timer

    /// Changes the machine, and sets the alarm if the machine must wake up before it rings.
    @inlinable
    func change(_ body: (inout Machine, Duration) -> Machine.Discarded?) {
        update { state in
            if state.isDelivering { state.foreign.note() }
            return body(&state.machine, state.time.now)
        }
    }

    @inlinable
    func update(_ body: (inout State) -> Machine.Discarded?) {
        var known: Duration?
        while true {
            let time = clock.now()
            let effects = state.withLock { state -> Effects? in
                var effects = Effects()
                guard !state.isStopped else { return effects }
                guard state.time.advance(to: time, known: &known) else { return nil }
                effects.discarded = body(&state)
                setAlarm(&state, &effects)
                return effects
            }
            guard let effects else { continue }
            schedule(effects)
            if let discarded = effects.discarded { Machine.release(discarded) }
            return
        }
    }

    /// Call only under the lock. Sets the alarm if it must ring earlier.
    @inlinable
    func setAlarm(_ state: inout State, _ effects: inout Effects) {
        guard !state.isDelivering, let wakeUp = state.machine.wakeUp else { return }
        if state.alarm.isSet, state.due <= wakeUp { return }
        effects.former = state.alarm.clear()
        effects.setting = (state.alarm.set(), wakeUp - state.time.now)
        effects.action = state.spareAction.take()
        state.due = wakeUp
    }

    @inlinable
    func schedule(_ effects: Effects) {
        guard let (number, delay) = effects.setting else { return }
        effects.former?.dispose()
        let action = effects.action ?? PendingAction()
        action.begin(self, number: number)
        let ring: @Sendable () -> Void = {
            guard let (sink, number) = action.take(as: TimedSink.self) else { return }
            if LeavingAction.isScheduling(action) { return LibraryThread.run { sink.ring(number, action) } }
            sink.ring(number, action)
        }
        let scheduled = delay > .zero ? clock.schedule(delay, ring) : clock.scheduler.schedule(ring)
        guard let scheduled else { return }
        state.withLock { $0.alarm.keep(scheduled, for: number) }?.dispose()
    }

    @inlinable
    func ring(_ number: UInt, _ action: PendingAction) {
        clock.scheduler.runWithoutTaskLocals { deliver(number, action) }
    }

    /// Sends what is due, and then sets the alarm for what is not: meanwhile nobody else does. Runs on the scheduler.
    ///
    /// Other threads could keep this action for ever, so if they add too much, the next action goes on.
    @inlinable
    func deliver(_ number: UInt, _ action: PendingAction) {
        var known: Duration?
        var mustRead = true
        var begun: (now: Duration, action: (any Disposable)?)?
        while mustRead {
            let time = clock.now()
            begun = state.withLock { state in
                mustRead = false
                guard state.awaits(number) else { return nil }
                mustRead = !state.time.advance(to: time, known: &known)
                if mustRead { return nil }
                state.isDelivering = true
                state.foreign.begin()
                return (state.time.now, state.alarm.clear())
            }
        }
        guard let begun else { return }
        // After an end nothing is due any more, so `isDelivering` stays set.
        var (hasDelivered, isLeaving) = (false, false)
        while !isLeaving, let event = nextEvent(at: begun.now, &isLeaving) {
            hasDelivered = true
            switch event {
            case .next(let value): if !downstream.hasEnded { downstream.next(value) }
            case .error(let error): return downstream.end(.error(error))
            case .completed: return downstream.end(.completed)
            case .interrupted: return downstream.end(.interrupted)
            }
        }
        if isLeaving {
            LeavingAction.schedule(action) { endDelivery(hasDelivered, action) }
        } else {
            endDelivery(hasDelivered, action)
        }
    }

    /// Lets the next action be scheduled, which this one becomes.
    @inlinable
    func endDelivery(_ hasDelivered: Bool, _ action: PendingAction) {
        update { state in
            state.isDelivering = false
            if hasDelivered { state.machine.hasDelivered(at: state.time.now) }
            state.spareAction = action
            return nil
        }
    }

    @usableFromInline
    package override func actionWasReleased(_ number: UInt) {
        guard state.withLock({ $0.awaits(number) }) else { return }
        LibraryThread.run { [self] in
            let discarded = state.withLock { state -> (Machine.Discarded?, (any Disposable)?)? in
                guard state.awaits(number) else { return nil }
                state.isStopped = true
                return (state.machine.clear(), state.alarm.clear())
            }
            guard let discarded else { return }
            if let values = discarded.0 { Machine.release(values) }
            downstream.end(.interrupted)
        }
    }

    @inlinable
    func nextEvent(at now: Duration, _ isLeaving: inout Bool) -> Event<Machine.Output, Machine.Failure>? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            isLeaving = state.foreign.isTooMuch
            let event = state.machine.nextEvent(at: now)
            if let event, event.isTerminating { state.isStopped = true }
            return event
        }
    }
}

/// An action of an operator that leaves its rest to the next action. A scheduler that runs actions at once would run
/// that one inside the first, so a thread of the library does.
@usableFromInline
enum LeavingAction {
    private static let slot = ScopedThreadLocal()

    /// Runs `body`, which schedules the next action.
    @usableFromInline
    static func schedule(_ next: PendingAction, _ body: () -> Void) {
        let former = slot.value
        slot.value = .passUnretained(next)
        body()
        slot.value = former
    }

    /// Whether the calling thread is in a call that schedules this action.
    @usableFromInline
    static func isScheduling(_ action: PendingAction) -> Bool {
        slot.value?.toOpaque() == Unmanaged.passUnretained(action).toOpaque()
    }
}

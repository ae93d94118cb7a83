extension Signal {
    /// Delivers every event on a scheduler, in order.
    ///
    ///     source                  --1--2--3--|
    ///     observe(on: queue)      ---1--2--3--|    (on the queue's thread)
    ///
    /// Errors and interruptions keep their place behind the values, too. What is still on its way when the resulting signal
    /// ends, by disposal, is dropped. Events that arrive while others wait are delivered together with them, in one action of
    /// the scheduler; the buffer between has no bound, for a signal cannot slow down its senders.
    ///
    /// - Parameter scheduler: Where observers are called. With an ``ImmediateScheduler`` that is the sender's thread.
    @inlinable
    public func observe(on scheduler: some Scheduler) -> Signal { relayed("observe(on:)", on: scheduler) }

    /// The same as a part of another operator.
    @inlinable
    package func relayed(_ name: StaticString, on scheduler: some Scheduler) -> Signal {
        deriveRoot(name) { core, lifetime in
            let relay = Relay(core: core, scheduler: scheduler)
            lifetime.observeEnded { relay.stop() }
            lifetime += observe(through: relay)
        }
    }
}

/// Carries events over to a scheduler in batches.
@usableFromInline
@_fixed_layout
final class Relay<Value: Sendable, Failure: Error>: Sink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: [Event<Value, Failure>] = []
        /// The batch delivered last, emptied, so that two buffers serve for ever.
        @usableFromInline var spare: [Event<Value, Failure>] = []
        /// Whether an action is scheduled or running.
        @usableFromInline var isScheduled = false
        /// An action that was scheduled lately. It may have run already.
        @usableFromInline var action: (any Disposable)?
        @usableFromInline var isStopped = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let scheduler: any Scheduler

    @inlinable
    init(core: Core<Value, Failure>, scheduler: any Scheduler) {
        self.core = core
        self.scheduler = scheduler
    }

    @inlinable
    func next(_ value: Value) { add(.next(value)) }

    @inlinable
    func end(_ termination: Termination<Failure>) { add(termination.event()) }

    @inlinable
    var hasEnded: Bool { core.terminated.isRaised }

    @inlinable
    func add(_ event: Event<Value, Failure>) {
        let mustSchedule = state.withLock { state in
            guard !state.isStopped else { return false }
            state.pending.append(event)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { schedule() }
    }

    @inlinable
    func schedule() {
        let action = scheduler.schedule { self.deliverBatch() }
        let (isStopped, replaced) = state.withLock { state in
            guard !state.isStopped else { return (true, nil as (any Disposable)?) }
            defer { state.action = action }
            return (false, state.action)
        }
        if isStopped { action?.dispose() }
        // Released outside the lock.
        withExtendedLifetime(replaced) {}
    }

    @inlinable
    func deliverBatch() {
        var batch = state.withLock { state in
            var batch = state.spare
            state.spare = []
            swap(&batch, &state.pending)
            return batch
        }
        // Values that were on their way when the result ended are dropped one by one, at the core.
        for event in batch { core.send(event) }
        batch.removeAll(keepingCapacity: true)
        let mustSchedule = state.withLock { state in
            state.spare = batch
            state.isScheduled = !state.pending.isEmpty
            return state.isScheduled
        }
        // Others of the scheduler have their turn between two batches.
        if mustSchedule { schedule() }
    }

    /// Drops what is on its way.
    @inlinable
    func stop() {
        let dropped = state.withLock { state in
            state.isStopped = true
            defer { state.pending = [] }
            return (events: state.pending, action: state.action.take())
        }
        dropped.action?.dispose()
    }
}

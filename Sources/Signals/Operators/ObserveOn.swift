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
    public func observe(on scheduler: some Scheduler) -> Signal {
        deriveRoot("observe(on:)") { core, lifetime in
            let relay = Relay(core: core, scheduler: scheduler)
            lifetime.observeEnded { relay.stop() }
            lifetime += observe(through: relay)
        }
    }
}

/// Carries events over to a scheduler in batches.
private final class Relay<Value: Sendable, Failure: Error>: Sink {
    private struct State {
        var pending: [Event<Value, Failure>] = []
        /// The batch delivered last, emptied, so that two buffers serve for ever.
        var spare: [Event<Value, Failure>] = []
        /// Whether an action is scheduled or running.
        var isScheduled = false
        /// An action that was scheduled lately. It may have run already.
        var action: (any Disposable)?
        var isStopped = false
    }

    private let state = Locked(State())
    private let core: Core<Value, Failure>
    private let scheduler: any Scheduler

    init(core: Core<Value, Failure>, scheduler: any Scheduler) {
        self.core = core
        self.scheduler = scheduler
    }

    func next(_ value: Value) { add(.next(value)) }

    func end(_ termination: Termination<Failure>) { add(termination.event()) }

    var hasEnded: Bool { core.terminated.isRaised }

    private func add(_ event: Event<Value, Failure>) {
        let mustSchedule = state.withLock { state in
            guard !state.isStopped else { return false }
            state.pending.append(event)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { schedule() }
    }

    private func schedule() {
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

    private func deliverBatch() {
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
    func stop() {
        let dropped = state.withLock { state in
            state.isStopped = true
            defer { state.pending = [] }
            return (events: state.pending, action: state.action.take())
        }
        dropped.action?.dispose()
    }
}

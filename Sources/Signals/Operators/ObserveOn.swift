extension Signal {
    /// Delivers every event on a scheduler, in order.
    ///
    ///     source                  --1--2--3--|
    ///     observe(on: queue)      ---1--2--3--|    (on the queue's thread)
    ///
    /// Errors and interruptions keep their place behind the values, too. What is still on its way when the resulting signal
    /// ends, by disposal, is dropped. Events that arrive while others wait are delivered together with them, in one action of
    /// the scheduler; the buffer between has no bound, for a signal cannot slow down its senders. A scheduler that carries task-locals
    /// carries those of the event that found nothing on its way; what comes until the scheduler is through shares them.
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
    @usableFromInline let batches = Batches<Event<Value, Failure>>()
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
        if batches.add(event) { schedule() }
    }

    @inlinable
    func schedule() { batches.keep(scheduler.schedule { self.deliverBatch() }) }

    @inlinable
    func deliverBatch() {
        let batch = batches.take()
        // Values that were on their way when the result ended are dropped one by one, at the core.
        for event in batch { core.send(event) }
        // Others of the scheduler have their turn between two batches.
        if batches.finish(batch) { schedule() }
    }

    /// Drops what is on its way.
    @inlinable
    func stop() { batches.stop() }
}

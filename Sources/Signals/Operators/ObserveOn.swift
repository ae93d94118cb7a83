extension Signal {
    /// Delivers every event on a scheduler, in order.
    ///
    /// ```marbles
    /// source                       --1--2--3--|
    /// source.observe(on: clock)    --1--2--3--|
    /// ```
    ///
    /// Errors and interruptions are also delivered after the values sent before them. If the resulting signal is
    /// disposed of, undelivered events are dropped. If the scheduler releases an action without running it, as one that
    /// is shut down may, the result is interrupted: see ``Scheduler``. Events that arrive while others are queued are
    /// delivered together with them, in one action of the scheduler. The queue is unbounded, because most signals
    /// cannot slow down their senders. Those of ``pipe(capacity:file:line:)`` wait while 256 values and the capacity of
    /// the pipe are queued. With a scheduler that carries task-locals, each event is delivered with those of its own
    /// sender.
    ///
    /// - Parameter scheduler: Where observers are called. With an ``ImmediateScheduler``, that is the sender's thread.
    @inlinable
    public func observe(on scheduler: some Scheduler) -> Signal {
        derive("observe(on:)", on: scheduler, passesSuspension: true) {
            Relay(core: $0, scheduler: scheduler, stock: $0.makeStock(share: Room.queueLimit))
        }
    }
}

/// Moves events to a scheduler in batches.
@usableFromInline
@_fixed_layout
package final class Relay<Value: Sendable, Failure: Error>: SchedulingWork, WorkingSink, @unchecked Sendable {
    // Sendable: `spareAction` belongs to the hop, of which there is one at a time.

    /// An event that waits for delivery.
    @frozen @usableFromInline
    struct Relayed: Sendable {
        @usableFromInline let event: Event<Value, Failure>
        /// The context of the sender. `nil` if the action that delivers the event runs under that context or under
        /// none.
        @usableFromInline let context: CapturedContext?

        @_alwaysEmitIntoClient
        init(_ event: Event<Value, Failure>, _ context: CapturedContext? = nil) {
            self.event = event
            self.context = context
        }
    }

    @usableFromInline let batches = Batches<Relayed>()
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let scheduler: any Scheduler
    /// Whether an action may run under the task-locals of the event that scheduled it. Later events must not be
    /// delivered under these.
    @usableFromInline let carriesTaskLocals: Bool
    /// Counts the values that wait, if that suspends the source.
    @usableFromInline let stock: Stock?
    @exclusivity(unchecked) @usableFromInline var spareAction: PendingAction?

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>, scheduler: any Scheduler, stock: Stock? = nil) {
        self.core = core
        self.scheduler = scheduler
        self.stock = stock
        carriesTaskLocals = !scheduler.dropsTaskLocals
        super.init()
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    deinit { if GraphHook.isOn.hasBeenOn { GraphHook.left(self) } }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        stock?.change(by: 1)
        add(.next(value))
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { add(termination.event()) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { core.terminated.isRaised }

    @_alwaysEmitIntoClient
    func add(_ event: Event<Value, Failure>) {
        let mustSchedule =
            if carriesTaskLocals {
                batches.add(Relayed(event), onlyIfFirst: true) || batches.add(Relayed(event, CapturedContext()))
            } else {
                batches.add(Relayed(event))
            }
        if mustSchedule { schedule() }
    }

    @_alwaysEmitIntoClient
    func schedule() {
        let action = spareAction.take() ?? PendingAction()
        action.begin(self)
        batches.keep(
            scheduler.schedule {
                action.take(as: Relay.self)?.work.deliverBatch(action)
            })
    }

    @_alwaysEmitIntoClient
    func deliverBatch(_ action: PendingAction) {
        let batch = batches.take()
        for relayed in batch {
            // Otherwise each would wait for the gate.
            if core.terminated.isRaised { break }
            if let context = relayed.context {
                context.run { core.send(relayed.event) }
            } else {
                core.send(relayed.event)
            }
            // Only now, so that the source goes on when what follows has counted the value.
            if let stock, !relayed.event.isTerminating { stock.change(by: -1) }
        }
        spareAction = action
        // Other actions of the scheduler can run between two batches.
        if batches.finish(batch) { schedule() }
    }

    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { { self.stop() } }

    /// Drops the undelivered events.
    @_alwaysEmitIntoClient
    func stop() {
        batches.stop()
        stock?.leave()
    }

    @_alwaysEmitIntoClient
    package var senders: SenderQueue? { stock?.senders }

    @usableFromInline
    package override func actionWasReleased(_: UInt) {
        if core.terminated.isRaised || batches.isStopped { return }
        LibraryThread.run { self.core.sendEnd(.interrupted) }
    }
}

extension Relay: GraphMember {
    @usableFromInline package var graphEntry: GraphEntry? {
        if core.terminated.isRaised { return nil }
        return GraphEntry(buffer: GraphName("queue"), depth: batches.count, limit: nil, parents: [core])
    }
}

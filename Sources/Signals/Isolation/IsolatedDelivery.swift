/// Carries the events of an observer to the actor of its closure, in batches.
///
/// Whether to call the closure is decided on the actor, call by call. So a disposal on the actor takes effect
/// immediately, and a disposal elsewhere takes effect before the next call.
@usableFromInline
@_fixed_layout
package final class IsolatedDelivery<Input: Sendable>: Sendable {
    /// A step to perform on the actor.
    @frozen @usableFromInline
    package enum Step: Sendable {
        case call(Input)
        /// Calls the closure for the last time.
        case lastCall(Input)
        /// Ends without another call of the closure.
        case end
    }

    @frozen @usableFromInline
    struct Action: @unchecked Sendable {
        // Sendable: the closure has been sent here, so no other code can access its captures. It is called only where
        // it belongs: on its actor, or, if it has none, by one hop at a time.
        @usableFromInline let call: @isolated(any) (Input) async -> Void

        @_alwaysEmitIntoClient
        init(_ call: @escaping @isolated(any) (Input) async -> Void) { self.call = call }
    }

    @usableFromInline let batches = Batches<Step>()
    /// `nil` when no further call will be made.
    @usableFromInline let action: Locked<Action?>
    /// Raised when no further call will be made.
    @usableFromInline let over = AtomicFlag()
    @usableFromInline let origin = HopOrigin()

    @_alwaysEmitIntoClient
    package init(_ action: sending @escaping @isolated(any) (Input) async -> Void) {
        self.action = Locked(Action(action))
    }

    /// Whether no further call will be made.
    @_alwaysEmitIntoClient
    package var isOver: Bool { over.isRaised }

    @_alwaysEmitIntoClient
    package func add(_ step: Step) {
        if batches.add(step) { hop() }
    }

    /// Drops the pending steps and the closure.
    @usableFromInline
    package func stop() {
        guard over.raise() else { return }
        let dropped = action.withLock { $0.take() }
        batches.stop()
        withExtendedLifetime(dropped) {}
    }

    @usableFromInline
    func hop() {
        guard let action = action.withLock({ $0 }) else { return }
        // A hop delivers the events of several senders, so it must not have the task-locals of any of them.
        CapturedContext.runWithout {
            LibraryTask.start(on: action.call.isolation, priority: origin.priority, in: origin.taskContext) {
                [self] isolation in
                await deliverBatch(on: isolation)
            }
        }
    }

    /// - Parameter isolation: The closure's actor. So calling the closure does not hop, and no other code runs on the
    ///   actor between two calls.
    private func deliverBatch(on isolation: isolated (any Actor)?) async {
        let batch = batches.take()
        if let action = action.withLock({ $0 }) {
            for step in batch {
                if isOver { break }
                switch step {
                case .call(let input): await action.call(input)
                case .lastCall(let input):
                    await action.call(input)
                    stop()
                case .end: stop()
                }
            }
        }
        // Between two batches, other work that waits for the actor can run.
        if batches.finish(batch) { hop() }
    }
}

/// What hops inherit from the observing code.
@usableFromInline
struct HopOrigin: Sendable {
    /// Not the sender's priority: a hop could be late because the first event of its batch came from low-priority work.
    let priority = Task.basePriority ?? Task.currentPriority
    let taskContext = LibraryTask.context

    @usableFromInline
    init() {}
}

/// The disposable of an isolated observer. Disposal first prevents further calls, then disposes of the source.
@usableFromInline
package final class IsolatedObservation<Input: Sendable>: Disposable {
    private let delivery: IsolatedDelivery<Input>
    /// `nil` if the source had already ended.
    private let source: (any Disposable)?

    @usableFromInline
    package init(_ delivery: IsolatedDelivery<Input>, _ source: (any Disposable)?) {
        self.delivery = delivery
        self.source = source
    }

    @usableFromInline
    package var isDisposed: Bool { delivery.isOver }

    @usableFromInline
    package func dispose() {
        delivery.stop()
        source?.dispose()
    }
}

extension IsolatedDelivery {
    /// Adds any event.
    @_alwaysEmitIntoClient
    package func send<Value, Failure>(_ event: Event<Value, Failure>) where Input == Event<Value, Failure> {
        add(event.isTerminating ? .lastCall(event) : .call(event))
    }

    /// Adds the values.
    @_alwaysEmitIntoClient
    package func sendValue(_ event: Event<Input, Never>) {
        if case .next(let value) = event { add(.call(value)) } else { add(.end) }
    }

    /// Adds the values as successes and the error as a failure.
    @_alwaysEmitIntoClient
    package func sendResult<Value, Failure>(_ event: Event<Value, Failure>) where Input == Result<Value, Failure> {
        switch event {
        case .next(let value): add(.call(.success(value)))
        case .error(let error): add(.lastCall(.failure(error)))
        case .completed, .interrupted: add(.end)
        }
    }
}

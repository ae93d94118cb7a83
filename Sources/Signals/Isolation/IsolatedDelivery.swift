/// Carries what an observer gets over to the actor of its closure, in batches.
///
/// What a hop calls is decided on the actor, call by call: a disposal from there takes effect at once, and one from elsewhere before the
/// next call.
@usableFromInline
@_fixed_layout
package final class IsolatedDelivery<Input: Sendable>: Sendable {
    /// What is done on the actor.
    @frozen @usableFromInline
    package enum Step: Sendable {
        case call(Input)
        /// The closure is called for the last time.
        case lastCall(Input)
        /// The closure is not called any more.
        case end
    }

    @frozen @usableFromInline
    struct Action: @unchecked Sendable {
        // Sendable: the closure has been sent here, so nobody else has what it captured, and it is called where it belongs: on its actor,
        // or, if it has none, by one hop at a time.
        @usableFromInline let call: @isolated(any) (Input) async -> Void

        @inlinable
        init(_ call: @escaping @isolated(any) (Input) async -> Void) { self.call = call }
    }

    @usableFromInline let batches = Batches<Step>()
    /// Nil once nothing more is to be called.
    @usableFromInline let action: Locked<Action?>
    /// Raised when nothing more is to be called.
    @usableFromInline let over = AtomicFlag()
    @usableFromInline let origin = HopOrigin()

    @inlinable
    package init(_ action: sending @escaping @isolated(any) (Input) async -> Void) {
        self.action = Locked(Action(action))
    }

    /// Whether nothing more is called.
    @inlinable
    package var isOver: Bool { over.isRaised }

    @inlinable
    package func add(_ step: Step) {
        if batches.add(step) { hop() }
    }

    /// Drops what waits, and the closure.
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
        // A hop delivers the events of several senders, and so has the task-locals of none.
        CapturedContext.runWithout {
            LibraryTask.start(on: action.call.isolation, priority: origin.priority, in: origin.surroundings) {
                [self] isolation in
                await deliverBatch(on: isolation)
            }
        }
    }

    /// - Parameter isolation: That of the closure. So no call of it hops, and nobody else is on the actor between two of them.
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
        // Others that wait for the actor have their turn between two batches.
        if batches.finish(batch) { hop() }
    }
}

/// What hops have from the code that observes.
@usableFromInline
struct HopOrigin: Sendable {
    /// With the sender's a hop could come late because its batch began with something unimportant.
    let priority = Task.basePriority ?? Task.currentPriority
    let surroundings = LibraryTask.surroundings

    @usableFromInline
    init() {}
}

/// What an isolated observer is disposed of by: first nothing more is called, then the source is let go of.
@usableFromInline
package final class IsolatedObservation<Input: Sendable>: Disposable {
    private let delivery: IsolatedDelivery<Input>
    /// Nil if the source had ended before.
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
    /// Passes every event.
    @inlinable
    package func send<Value, Failure>(_ event: Event<Value, Failure>) where Input == Event<Value, Failure> {
        add(event.isTerminating ? .lastCall(event) : .call(event))
    }

    /// Passes the values.
    @inlinable
    package func sendValue(_ event: Event<Input, Never>) {
        if case .next(let value) = event { add(.call(value)) } else { add(.end) }
    }

    /// Passes the values as successes and the error as a failure.
    @inlinable
    package func sendResult<Value, Failure>(_ event: Event<Value, Failure>) where Input == Result<Value, Failure> {
        switch event {
        case .next(let value): add(.call(.success(value)))
        case .error(let error): add(.lastCall(.failure(error)))
        case .completed, .interrupted: add(.end)
        }
    }
}

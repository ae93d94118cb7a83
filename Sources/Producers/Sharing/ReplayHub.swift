/// Where one stream comes in and many starts go out, each of which gets first what is remembered and then what comes.
///
/// The gate of its core guards the memory: a start that joins gets what is remembered and is added in one turn of the gate, so
/// it misses nothing, gets nothing twice, and nothing out of order. Nothing is copied: what is sent meanwhile waits for its turn.
@usableFromInline
@_fixed_layout
package final class ReplayHub<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: the gate guards what changes.
    @usableFromInline let core: Core<Value, Failure>
    /// How many values are remembered.
    @exclusivity(unchecked) @usableFromInline var capacity: Int
    @usableFromInline let forgetsAtFirstJoin: Bool
    @exclusivity(unchecked) @usableFromInline var memory = Queue<Value>()
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?

    /// - Parameter forgetsAtFirstJoin: Whether the first start that joins gets all, and later ones nothing, of what came before.
    @inlinable
    package init(
        _ name: StreamName, capacity: Int, contention: Contention = .wait, forgetsAtFirstJoin: Bool = false
    ) {
        core = Core(rootNamed: name, contention: contention)
        self.capacity = capacity
        self.forgetsAtFirstJoin = forgetsAtFirstJoin
    }

    /// Remembers an event and passes it on. From any thread.
    @inlinable
    package func send(_ event: Event<Value, Failure>) {
        let thread = ThreadIdentity.current
        if core.enter(thread) {
            take(event)
            core.leave(thread)
        } else {
            core.push(DeferredWork { self.take(event) })
        }
    }

    @inlinable
    func take(_ event: Event<Value, Failure>) {
        guard termination == nil else { return }
        switch event {
        case .next(let value):
            // Released outside of what changes the memory.
            let forgotten = remember(value)
            core.deliver(value)
            withExtendedLifetime(forgotten) {}
        case .error(let error): end(.error(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }

    @inlinable
    func remember(_ value: Value) -> Value? {
        guard capacity > 0 else { return nil }
        let forgotten = memory.count == capacity ? memory.popFirst() : nil
        memory.append(value)
        return forgotten
    }

    @inlinable
    func end(_ termination: Termination<Failure>) {
        self.termination = termination
        core.deliverEnd(termination)
    }

    /// Has a start join.
    @inlinable
    package func join(_ sink: ProducerSink<Value, Failure>) {
        let head = core.deriveHead(sink)
        guard sink.run.attach(head) else {
            head.cutOff()
            return sink.finish(.interrupted)
        }
        // A start delivers what is remembered, and nothing that other threads send meanwhile.
        core.performPassively { [self] in
            // No longer than what there was at the beginning, and it does not change: it is this thread's turn.
            var position = 0
            while position < memory.count, !sink.hasEnded {
                head.deliver(memory[position])
                position += 1
            }
            if forgetsAtFirstJoin {
                capacity = 0
                memory = Queue()
            }
            if let termination {
                head.deliverEnd(termination)
            } else {
                head.observeUpstreamAsOwner(core)
            }
        }
    }
}

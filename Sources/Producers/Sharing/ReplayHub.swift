/// Receives one stream, and sends it to any number of starts, each of which receives the stored values first.
///
/// The gate of its core guards the stored values. A joining start receives them and is added without leaving the gate
/// in between, so it misses nothing, and receives nothing twice or out of order. Nothing is copied: events sent in the
/// meantime wait for the gate.
@usableFromInline
@_fixed_layout
package final class ReplayHub<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: the gate guards the variables.
    @usableFromInline package let core: Core<Value, Failure>
    /// The maximum number of stored values.
    @exclusivity(unchecked) @usableFromInline var capacity: Int
    @usableFromInline let forgetsAtFirstJoin: Bool
    /// What happens to a value that is one too many.
    @usableFromInline let whenFull: Overflow
    /// Called in case of `.fail`, by the owner of the gate. The value is dropped.
    @usableFromInline let overflowed: (@Sendable () -> Void)?
    @exclusivity(unchecked) @usableFromInline var memory = Queue<Value>()
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?
    /// Whether the stored values and the end stay as they are, so that they can be read without the gate.
    @usableFromInline let isFixed = AtomicFlag()

    /// - Parameter forgetsAtFirstJoin: Whether only the first start that joins receives the stored values, and later
    ///   ones only new values.
    @_alwaysEmitIntoClient
    package init(
        _ name: StreamName, capacity: Int, contention: Contention = .wait, forgetsAtFirstJoin: Bool = false,
        whenFull: Overflow = .dropOldest, overflowed: (@Sendable () -> Void)? = nil
    ) {
        core = Core(rootNamed: name, contention: contention)
        self.capacity = capacity
        self.forgetsAtFirstJoin = forgetsAtFirstJoin
        self.whenFull = whenFull
        self.overflowed = overflowed
    }

    /// Stores an event and delivers it. Can be called from any thread.
    @_alwaysEmitIntoClient
    package func send(_ event: Event<Value, Failure>) {
        let thread = ThreadIdentity.current
        if core.enter(thread) {
            take(event)
            core.leave(thread)
        } else {
            core.push(DeferredWork { self.take(event) })
        }
    }

    @_alwaysEmitIntoClient
    func take(_ event: Event<Value, Failure>) {
        guard termination == nil else { return }
        switch event {
        case .next(let value):
            // Released after the delivery, not while the stored values are being changed.
            let forgotten = remember(value)
            core.deliver(value)
            withExtendedLifetime(forgotten) {}
        case .error(let error): end(.error(error))
        case .completed: end(.completed)
        case .interrupted: end(.interrupted)
        }
    }

    /// Stores a value. Returns the one that is dropped for it, if any.
    @_alwaysEmitIntoClient
    func remember(_ value: Value) -> Value? {
        guard capacity > 0 else { return nil }
        var forgotten: Value?
        if memory.count == capacity {
            switch whenFull.kind {
            case .dropOldest: forgotten = memory.popFirst()
            case .dropNewest: return value
            case .fail:
                overflowed?()
                return value
            }
        }
        memory.append(value)
        return forgotten
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        self.termination = termination
        if !forgetsAtFirstJoin { isFixed.raise() }
        core.deliverEnd(termination)
    }

    /// Stores nothing any more, because no start joins.
    @_alwaysEmitIntoClient
    func forget() {
        core.performPassively { [self] in
            capacity = 0
            memory = Queue()
        }
    }

    /// Adds a start.
    @_alwaysEmitIntoClient
    package func join(_ sink: ProducerSink<Value, Failure>) {
        // Without the gate, starts that find all values do not wait for each other's observers.
        if isFixed.isRaised, let termination { return replay(termination, to: sink) }
        let head = core.deriveHead(sink)
        guard sink.start.attach(head) else {
            head.cutOff()
            return sink.end(.interrupted)
        }
        // Passively: the joining thread delivers the stored values, but no events that other threads send in the
        // meantime.
        core.performPassively { [self] in
            // This thread owns the gate, so the stored values do not change during the loop.
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

    /// Sends the stored values and the end, like a producer of these values.
    @_alwaysEmitIntoClient
    func replay(_ termination: Termination<Failure>, to sink: ProducerSink<Value, Failure>) {
        var position = 0
        while position < memory.count, !sink.hasEnded {
            sink.next(memory[position])
            position += 1
        }
        sink.end(termination)
    }
}

/// The typed core of a signal: how events enter it and reach its receivers.
@usableFromInline
@_fixed_layout
package final class Core<Value: Sendable, Failure: Error>: SignalCore, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// Creates a core with its own gate.
    ///
    /// - Parameters:
    ///   - scheduler: See ``SignalCore/scheduler``.
    ///   - senders: The senders that consumers can suspend.
    @inlinable
    package init(
        rootNamed name: StreamName, contention: Contention = .wait, scheduler: (any Scheduler)? = nil,
        senders: SenderQueue? = nil, isTerminated: Bool = false
    ) {
        super.init(
            name: name, rootGate: nil, contention: contention, scheduler: scheduler, senders: senders,
            isTerminated: isTerminated)
    }

    /// Creates a core that the gate of its upstream serializes.
    @inlinable
    package init(name: StreamName, upstream: SignalCore, isTerminated: Bool = false) {
        super.init(name: name, rootGate: upstream.gateReference, contention: .wait, isTerminated: isTerminated)
    }

    // MARK: From any thread

    /// Sends a value through the gate.
    @inlinable @inline(__always)
    package func sendNext(_ value: Value) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            deliver(value)
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            enqueue(.next(value))
        }
    }

    /// Sends a value if `isWanted` returns true inside the gate, so that nothing is delivered between the check and the
    /// value. Returns false if the gate is taken: then the caller pushes an operation instead.
    @inlinable @inline(__always)
    package func sendNext(_ value: Value, if isWanted: () -> Bool) -> Bool {
        let thread = ThreadIdentity.current
        guard gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) else { return false }
        if isWanted() { deliver(value) }
        gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        return true
    }

    /// Sends a terminal event through the gate.
    @inlinable
    package func sendEnd(_ termination: Termination<Failure>) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enter(thread) }) {
            deliverEnd(termination)
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            enqueue(termination.event())
        }
    }

    /// Sends a terminal event on a thread that others need, as that of a timer. It does not wait: if the gate is taken,
    /// its owner delivers the event.
    @_alwaysEmitIntoClient
    package func sendEndWithoutWaiting(_ termination: Termination<Failure>) {
        let thread = ThreadIdentity.current
        if gateReference._withUnsafeGuaranteedRef({ $0.enterIfFree(thread) }) {
            deliverEnd(termination)
            gateReference._withUnsafeGuaranteedRef { $0.leave(thread) }
        } else {
            enqueue(termination.event())
        }
    }

    /// Sends any event through the gate.
    @_alwaysEmitIntoClient
    package func send(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): sendNext(value)
        case .error(let error): sendEnd(.error(error))
        case .completed: sendEnd(.completed)
        case .interrupted: sendEnd(.interrupted)
        }
    }

    /// Sends a terminal event for a caller that must not wait. If the gate is taken, its owner delivers the event.
    @inlinable
    package func handOverEnd(_ termination: Termination<Failure>) {
        actPassively { self.deliverEnd(termination) }
    }

    /// The slow path of a send, kept out of line.
    @inlinable @inline(never)
    func enqueue(_ event: Event<Value, Failure>) {
        if !addAsOwner(event) { gate.push(WaitingEvent(event, to: self)) }
    }

    /// Adds an event to the inbox of the gate without performing anything. For a caller that holds a lock, and settles
    /// the gate after releasing it.
    @inlinable
    package func add(_ event: Event<Value, Failure>) {
        if !addAsOwner(event) { gate.add(WaitingEvent(event, to: self)) }
    }

    /// Adds an event in the operation that the gate has kept. Returns false if there is none, or if the caller is not
    /// the owner.
    @inlinable @inline(__always)
    func addAsOwner(_ event: Event<Value, Failure>) -> Bool {
        gateReference._withUnsafeGuaranteedRef { gate in
            guard WaitingEvent.isSmall(event), let spare = gate.takeSpare() else { return false }
            spare._withUnsafeGuaranteedRef { $0.store(event, to: self) }
            gate.addAsOwner(spare)
            return true
        }
    }

    /// Makes `sink` a receiver. Call only while no other code can reach this core.
    @inlinable
    package func adopt<S: Sink>(_ sink: S) where S.Value == Value, S.Failure == Failure {
        adopt(SinkReceiver(observation: nil, sink: sink))
    }

    // MARK: For the owner of the gate

    /// Passes a value to every receiver. After the end there are none.
    @inlinable @inline(__always)
    package func deliver(_ value: Value) { deliver(value, after: {}) }

    /// The same, after `action`.
    // So that a value is in memory before `action` is called, and needs no register in the meantime.
    @inlinable @inline(__always)
    func deliver(_ value: Value, after action: () -> Void) {
        action()
        slots.owner.reads()
        if slots.room != 0 { return deliverToMany(value) }
        guard let only = slots.storage else { return }
        // Not retained: if the receiver is removed meanwhile, the gate keeps it until after it has been left.
        Unmanaged<Receiver<Value, Failure>>.fromOpaque(only)._withUnsafeGuaranteedRef { $0.receive(value) }
    }

    @inlinable @inline(never)
    func deliverToMany(_ value: Value) {
        let buffer = slots.storage.unsafelyUnwrapped.assumingMemoryBound(to: Slots.Slot.self)
        // This takes no longer than the delivery itself.
        if slots.count != live { slots.compact() }
        // The count when the delivery begins: see `Slots`.
        let count = Int(slots.count)
        guard hasOnlyValueReceivers else {
            for position in 0..<count {
                guard let slot = buffer[position] else { continue }
                Unmanaged<Receiver<Value, Failure>>.fromOpaque(slot.toOpaque())
                    ._withUnsafeGuaranteedRef { $0.receive(value) }
            }
            return
        }
        // Everything that the closures do to the signal goes through the gate, which is taken. So no receiver is
        // removed during the loop, and a disposal sets the inbox flag.
        let gate = gateReference
        for position in 0..<count {
            Unmanaged<Receiver<Value, Failure>>.fromOpaque(buffer[position].unsafelyUnwrapped.toOpaque())
                ._withUnsafeGuaranteedRef { receiver in
                    if gate._withUnsafeGuaranteedRef({ $0.mayHaveOperations }), !receiver.isLive { return }
                    receiver.callClosure(value)
                }
        }
    }

    /// Terminates the signal: passes the terminal event to every receiver, then disposes of the signal's resources.
    @inlinable
    package func deliverEnd(_ termination: Termination<Failure>) {
        guard terminated.raise() else { return }
        if slots.room == 0, let only = slots.storage {
            Unmanaged<Receiver<Value, Failure>>.fromOpaque(only)._withUnsafeGuaranteedRef { receiver in
                if receiver.isLive { receiver.receiveEnd(termination) }
            }
        } else {
            slots.visit { receiver in
                guard receiver.isLive else { return }
                unsafeDowncast(receiver, to: Receiver<Value, Failure>.self).receiveEnd(termination)
            }
        }
        tearDown()
    }

    /// Delivers any event.
    @inlinable
    package func deliver(_ event: Event<Value, Failure>) {
        switch event {
        case .next(let value): deliver(value)
        case .error(let error): deliverEnd(.error(error))
        case .completed: deliverEnd(.completed)
        case .interrupted: deliverEnd(.interrupted)
        }
    }

    @usableFromInline
    override func interruptAsOwner() { deliverEnd(.interrupted) }

    @usableFromInline
    package override func observeErased(
        _ action: @escaping @Sendable (Event<any Sendable, any Error>) -> Void
    ) -> (any Disposable)? {
        let observation = Observation(core: self)
        let receiver = EventReceiver<Value, Failure>(observation: observation) {
            action($0.map { $0 as any Sendable }.mapError { $0 as any Error })
        }
        return observe(receiver, observation)
    }
}

/// The sink at the end of a hot operator: the core of the signal that the operator returns.
@frozen @usableFromInline
package struct CoreSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline package let core: Core<Value, Failure>

    @inlinable
    package init(_ core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) { core.deliver(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { core.deliverEnd(termination) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { core.wantsNoMore }
}

/// Sends events through the gate of a core, for senders that do not own it.
@frozen @usableFromInline
package struct GateSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let core: Core<Value, Failure>

    @inlinable
    package init(_ core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) { core.sendNext(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { core.sendEnd(termination) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { core.terminated.isRaised }
}

// What the start of a producer needs in order to observe a signal.
extension Core {
    /// Creates a core that is serialized by this core's gate, with `sink` as its receiver.
    @inlinable
    package func deriveHead<S: Sink>(_ sink: S) -> Core where S.Value == Value, S.Failure == Failure {
        let head = Core(name: StreamName("producer", parent: self), upstream: self)
        head.adopt(sink)
        head.beHeldByNobody()
        return head
    }

    /// Forwards the events of `upstream`.
    @_alwaysEmitIntoClient
    package func observeUpstream(_ upstream: Core) { upstream.attach(forwarder, downstream: self) }

    /// Forwards the events of `upstream`. Only for the owner of the gate, outside of a delivery.
    @_alwaysEmitIntoClient
    package func observeUpstreamAsOwner(_ upstream: Core) { upstream.attachAsOwner(forwarder, self) }

    @inlinable
    var forwarder: AnyReceiver {
        SinkReceiver(observation: nil, sink: ForwardingSink(downstream: CoreSink(self)))
    }
}

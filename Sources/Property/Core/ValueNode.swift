public import HotSignals

/// A property's value, and the signal that tells of its changes.
@usableFromInline
@_fixed_layout
package class ValueNode<Value: Sendable>: PropertyNode, @unchecked Sendable {
    // Sendable: as the base class.

    /// Lock; the owner of the graph, who alone writes it, reads it without.
    @exclusivity(unchecked) @usableFromInline package final var value: Value
    /// Turn.
    @exclusivity(unchecked) @usableFromInline final var next: Value?
    /// Gate. What is to be delivered.
    @exclusivity(unchecked) @usableFromInline final var outgoing: Value?
    /// Gate. What is to be let go of after that.
    @exclusivity(unchecked) @usableFromInline final var former: Value?
    /// Gate. Whether the signal ends after that.
    @exclusivity(unchecked) @usableFromInline final var isOutgoingLast = false
    @usableFromInline package final let core: Core<Value, Never>
    @usableFromInline final let owner = Owner(of: "the value of a property")
    @usableFromInline final let deliveryOwner = Owner(of: "the event of a property")

    /// - Parameters:
    ///   - compute: Calls ``compute(_:)``.
    ///   - publish: Calls ``publish(_:)``.
    @inlinable
    init(
        _ value: Value, _ core: Core<Value, Never>, inputs: [PropertyNode] = [], ending: Ending = .withAll,
        compute: @escaping @Sendable (PropertyNode) -> Bool,
        publish: @escaping @Sendable (PropertyNode, UInt) -> Publication = {
            unsafeDowncast($0, to: ValueNode<Value>.self).publish($1)
        }
    ) {
        self.value = value
        self.core = core
        super.init(
            core, inputs: inputs, ending: ending, compute: compute, publish: publish,
            deliver: { unsafeDowncast($0, to: ValueNode<Value>.self).deliver($1) })
    }

    // MARK: For a turn

    /// The value that others are computed from in this turn. Turn.
    @inlinable
    package final var current: Value {
        if let next { next } else { value }
    }

    /// Turn: see ``PropertyNode/compute``.
    ///
    /// - Parameter recompute: Computes the value from those of the inputs; nil if it stays as it is.
    @inlinable @inline(__always)
    final func compute(_ recompute: (ValueNode) -> Value?) -> Bool {
        guard let next = recompute(self) else { return false }
        self.next = next
        return true
    }

    /// Lock and turn: see ``PropertyNode/publish``.
    @inlinable @inline(__always)
    final func publish(_ thread: UInt) -> Publication {
        // Without an observer there is nothing left to do, but for a former value that is an object.
        owner.writes()
        if _isPOD(Value.self), core.isUnobserved, !isEnding {
            if let new = next.take() { value = new }
            version &+= 1
            hasNext = false
            return .silent
        }
        guard core.enterIfIdle(thread) else {
            publishToInbox()
            return .added
        }
        deliveryOwner.writes()
        if let new = next.take() {
            version &+= 1
            if !_isPOD(Value.self) { former = value }
            value = new
            outgoing = new
        }
        hasNext = false
        if isEnding { isOutgoingLast = true }
        return .entered
    }

    @inlinable @inline(never)
    final func publishToInbox() {
        hasNext = false
        if let new = next.take() {
            version &+= 1
            core.gate.add(EventOperation(.next(new), to: core))
            // The owner of the gate releases the former value, since it holds no lock. It may do so at once, so this thread,
            // which holds one, must have given up its reference before.
            var former = new
            swap(&former, &value)
            core.gate.add(DeferredRelease(consume former))
        }
        if isEnding { core.gate.add(EventOperation(.completed, to: core)) }
    }

    /// Gate: see ``PropertyNode/deliver``.
    @inlinable @inline(__always)
    final func deliver(_ thread: UInt) {
        deliveryOwner.writes()
        let former = _isPOD(Value.self) ? nil : former.take()
        if let value = outgoing.take() { core.deliver(value) }
        if isOutgoingLast { core.deliverEnd(.completed) }
        core.leave(thread)
        // With the gate free, as this may be the end of an object of a user's.
        withExtendedLifetime(former) {}
    }

    // MARK: For everybody

    /// The value of a derived node, as others see it.
    @inlinable
    package final var visibleValue: Value {
        // As `withLock`, but for a closure, which would retain this object.
        let graph = origin
        graph.lock.lock()
        if graph.successor == nil, !isStale {
            owner.reads()
            let value = value
            graph.lock.unlock()
            return value
        }
        graph.lock.unlock()
        return visibleValueOfJoined
    }

    @inlinable @inline(never)
    final var visibleValueOfJoined: Value {
        let (value, isStale) = origin.withLock { _ in (self.value, self.isStale) }
        return isStale ? refreshedValue : value
    }

    /// Of a node that a turn has yet to compute.
    @usableFromInline @inline(never)
    final var refreshedValue: Value {
        origin.refresh(ThreadIdentity.current)
        return origin.withLock { _ in value }
    }

    /// The value that the last turn has left.
    @inlinable
    package final var committedValue: Value { origin.withLock { _ in value } }

    /// A start of the property's producer: sends the value, and then the changes from it on.
    ///
    /// - Parameter signal: Is held until the start has joined it.
    @inlinable
    package final func start(_ run: Run, _ sink: ProducerSink<Value, Never>, holding signal: Signal<Value, Never>) {
        refuseAccess()
        let head = core.deriveHead(sink)
        guard run.attach(head) else {
            head.cutOff()
            return sink.finish(.interrupted)
        }
        let thread = ThreadIdentity.current
        let gate = core.gate
        // In one turn of the lock, in which values change and events are lined up, this takes the value and its place among the
        // events. So it misses nothing, and gets nothing twice.
        let isInside = gate.isOwnedByCaller
        let (first, isEntered) = Self.withReadable([self]) { () -> (Value, Bool) in
            if gate.enterIfIdle(thread) { return (value, true) }
            let joining = Joining(self, head, isInside ? nil : value, hasEnded: hasEnded)
            gate.add(DeferredWork { withExtendedLifetime(signal) { joining.perform() } })
            return (value, false)
        }
        if isEntered {
            Joining(self, head, first, hasEnded: core.terminated.isRaised).perform()
            gate.leavePassively(thread)
        } else if isInside {
            // From inside one of its events. No other thread delivers meanwhile.
            head.deliver(first)
        } else if gate.contention == .enqueue {
            // A start delivers nothing that other threads have sent.
            PassiveSection.run { gate.settle() }
        } else {
            gate.waitForTurn(thread)
        }
        withExtendedLifetime(signal) {}
    }

    /// What the owner of the gate does for a start.
    @frozen @usableFromInline
    struct Joining: Sendable {
        let node: ValueNode
        let head: Core<Value, Never>
        let first: Value?
        let hasEnded: Bool

        @usableFromInline
        init(_ node: ValueNode, _ head: Core<Value, Never>, _ first: Value?, hasEnded: Bool) {
            self.node = node
            self.head = head
            self.first = first
            self.hasEnded = hasEnded
        }

        @usableFromInline
        func perform() {
            if let first { head.deliver(first) }
            if hasEnded { head.deliverEnd(.completed) } else { head.observeUpstreamAsOwner(node.core) }
        }
    }
}

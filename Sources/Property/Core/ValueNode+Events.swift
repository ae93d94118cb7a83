public import ColdProducers
public import HotSignals

// How a change becomes an event.
extension ValueNode {
    /// Lock and turn: see ``PropertyNode/publish``.
    @inlinable @inline(__always)
    final func publish(_ thread: UInt) -> Publication {
        owner.writes()
        // Without an observer there is nothing left to do, but for a former value that is an object.
        guard let core = coreReference else { return publishSilently() }
        let isUnobserved = core._withUnsafeGuaranteedRef { $0.isUnobserved }
        if isUnobserved, _isPOD(Value.self), !staged.isEnding { return publishSilently() }
        guard core._withUnsafeGuaranteedRef({ $0.enterIfIdle(thread) }) else {
            publishToInbox()
            return .added
        }
        deliveryOwner.writes()
        changes &+= 1
        if let new = next.take() {
            if !_isPOD(Value.self) { former = value }
            value = new
            outgoing = new
        }
        staged.hasNext = false
        if staged.isEnding { isOutgoingLast = true }
        return .entered
    }

    /// For a value that is no object.
    @inlinable @inline(__always)
    final func publishSilently() -> Publication {
        changes &+= 1
        if let new = next.take() { value = new }
        staged.hasNext = false
        return .silent
    }

    @inlinable @inline(never)
    final func publishToInbox() {
        staged.hasNext = false
        changes &+= 1
        let core = coreReference.unsafelyUnwrapped.takeUnretainedValue()
        if let new = next.take() {
            core.gate.add(EventOperation(.next(new), to: core))
            // The owner of the gate releases the former value, since it holds no lock. It may do so at once, so this thread,
            // which holds one, must have given up its reference before.
            let former = DeferredRelease(value)
            value = new
            core.gate.add(former)
        }
        if staged.isEnding { core.gate.add(EventOperation(.completed, to: core)) }
    }

    /// Gate of the signal: see ``PropertyNode/deliver``.
    @inlinable @inline(__always)
    final func deliver(_ thread: UInt) {
        deliveryOwner.writes()
        let former = _isPOD(Value.self) ? nil : former.take()
        withCore { core in
            if let value = outgoing.take() { core.deliver(value) }
            if isOutgoingLast { core.deliverEnd(.completed) }
            core.leave(thread)
        }
        // With the gate free, as this may be the end of an object of a user's.
        withExtendedLifetime(former) {}
    }

    /// A start of the property's producer: sends the value, and then the changes from it on.
    ///
    /// - Parameter signal: Is held until the start has joined it.
    @inlinable
    package final func start(_ run: Run, _ sink: ProducerSink<Value, Never>, holding signal: Signal<Value, Never>) {
        refuseAccess()
        // The receiver that ``Joining`` attaches takes this wish over.
        signal.core.beginObserving()
        let head = signal.core.deriveHead(sink)
        guard run.attach(head) else {
            signal.core.gate.push(DeferredUpkeep { signal.core.endObserving() })
            head.cutOff()
            return sink.finish(.interrupted)
        }
        let thread = ThreadIdentity.current
        let gate = signal.core.gate
        // In one turn of the lock, in which values change and events are lined up, this takes the value and its place among the
        // events. So it misses nothing, and gets nothing twice.
        let isInside = gate.isOwnedByCaller
        let (first, isEntered) = whileReadable { value -> (Value, Bool) in
            if gate.enterIfIdle(thread) { return (value, true) }
            let joining = Joining(signal.core, head, isInside ? nil : value, hasEnded: links.hasEnded)
            gate.add(DeferredWork { withExtendedLifetime(signal) { joining.perform() } })
            return (value, false)
        }
        if isEntered {
            Joining(signal.core, head, first, hasEnded: signal.core.terminated.isRaised).perform()
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

    /// Runs `body` under the lock with the value that is published, when nobody changes that in place.
    @inlinable
    final func whileReadable<Result>(_ body: (Value) -> Result) -> Result {
        while true {
            let result = domain.withLock { isChangedInPlace ? nil : body(value.unsafelyUnwrapped) }
            if let result { return result }
            awaitBody()
        }
    }

    /// What the owner of the gate does for a start.
    @frozen @usableFromInline
    struct Joining: Sendable {
        let core: Core<Value, Never>
        let head: Core<Value, Never>
        let first: Value?
        let hasEnded: Bool

        @usableFromInline
        init(_ core: Core<Value, Never>, _ head: Core<Value, Never>, _ first: Value?, hasEnded: Bool) {
            self.core = core
            self.head = head
            self.first = first
            self.hasEnded = hasEnded
        }

        @usableFromInline
        func perform() {
            if let first { head.deliver(first) }
            if hasEnded { head.deliverEnd(.completed) } else { head.observeUpstreamAsOwner(core) }
        }
    }

    @inlinable
    package final func producer(holding signal: Signal<Value, Never>) -> SignalProducer<Value, Never> {
        SignalProducer(StreamName("", parent: signal.core), contention: contention) { run, sink in
            self.start(run, sink, holding: signal)
        }
    }
}

/// The events of a turn, on their way to the observers. References are counted by hand, as there is nothing to count usually.
///
/// The nodes are not held. One whose gate has been entered, and that is let go of by an observer or by another thread, goes only when the
/// gate has been left: see `letGo(_:)`.
struct Events {
    /// What is rare.
    final class Rest {
        /// Cores whose events are in the inboxes of their gates.
        var added: [SignalCore] = []
        /// Domains that are left when no lock is held any more, as others wait there or have something to be done.
        var busy: [Domain] = []
        /// What was unlinked.
        var garbage: [Unmanaged<PropertyNode>] = []
        /// What is to be unlinked.
        var unwanted: [PropertyNode] = []
    }

    /// Nodes whose gates the turn has entered, linked through `nextToDeliver`, in the order in which they are to be delivered.
    private var first: Unmanaged<PropertyNode>?
    private var last: Unmanaged<PropertyNode>?
    /// Nil if there is nothing of that. With a reference.
    private(set) var rest: Unmanaged<Rest>?

    /// Lock. Lines up what a node has to say.
    @inline(__always)
    mutating func publish(_ node: PropertyNode, _ thread: UInt) {
        switch node.publish(node, thread) {
        case .entered:
            let reference = Unmanaged.passUnretained(node)
            if node.links.isHerald {
                node.nextToDeliver = first
                first = reference
                if last == nil { last = reference }
                return
            }
            node.nextToDeliver = nil
            if let last { last._withUnsafeGuaranteedRef { $0.nextToDeliver = reference } } else { first = reference }
            last = reference
        case .added: noteRest { rest in if let core = node.signalCore { rest.added.append(core) } }
        case .silent: break
        }
    }

    @inline(never)
    mutating func noteRest(_ note: (Rest) -> Void) {
        let rest = self.rest ?? .passRetained(Rest())
        self.rest = rest
        note(rest.takeUnretainedValue())
    }

    /// With no lock held.
    @inline(__always)
    func leaveBusy(_ thread: UInt, passively: Bool = false) {
        rest?._withUnsafeGuaranteedRef { rest in
            for domain in rest.busy {
                if passively { domain.gate.leavePassively(thread) } else { domain.gate.leave(thread) }
            }
            rest.busy = []
        }
    }

    /// Delivers those whose gates were entered.
    @inline(__always)
    func deliver(_ thread: UInt, mayWait: Bool) {
        var next = first
        while let node = next {
            // Delivering ends with leaving the gate.
            next = node._withUnsafeGuaranteedRef { $0.nextToDeliver }
            node._withUnsafeGuaranteedRef { $0.deliver($0, thread) }
        }
        finish(thread, mayWait: mayWait)
    }

    /// With nothing owned: waits for the events that other threads deliver, if the caller may, and lets go of what is not needed any more.
    @inline(__always)
    func finish(_ thread: UInt, mayWait: Bool) {
        if let rest { finish(rest, thread, mayWait: mayWait) }
    }

    @inline(never)
    private func finish(_ rest: Unmanaged<Rest>, _ thread: UInt, mayWait: Bool) {
        let rest = rest.takeRetainedValue()
        for core in rest.added { if mayWait { core.gate.waitForTurn(thread) } else { core.gate.settle() } }
        for node in rest.garbage { node.letGo(nil) }
        for node in rest.unwanted {
            if let memory = node.memory, node.domain.withLock({ node.links.hasEnded }) { memory.end() }
            node.unlinkIfUnwanted(nil)
        }
    }
}

extension Gate {
    /// Returns when what was added has been performed, unless waiting for that would close a cycle, or the gate is one for
    /// which nobody waits.
    @usableFromInline
    func waitForTurn(_ thread: UInt) {
        settle()
        if enter(thread) { leave(thread) }
    }
}

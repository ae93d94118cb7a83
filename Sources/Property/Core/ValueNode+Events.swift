public import ColdProducers
public import HotSignals

// How a change becomes an event.
extension ValueNode {
    /// Only during a propagation: see ``PropertyNode/Behavior/publish``.
    @_alwaysEmitIntoClient @inline(__always)
    final func publish(_ thread: UInt, _ held: borrowing HeldLock) -> Publication {
        owner.writes()
        // Without an observer, a trivial value needs no delivery. Another previous value must be released, which the
        // delivery does with no lock held.
        guard let core = coreReference else { return publishSilently(held) }
        let isUnobserved = core._withUnsafeGuaranteedRef { $0.isUnobserved }
        if isUnobserved, _isPOD(Value.self), !staged.isEnding { return publishSilently(held) }
        guard core._withUnsafeGuaranteedRef({ $0.enterIfIdle(thread) }) else { return publishToInbox(self, held) }
        deliveryOwner.writes()
        if let new = takeNext(held) {
            countChange(held)
            if !_isPOD(Value.self) { former = value }
            value = new
            outgoing = new
        }
        if staged.isEnding { isOutgoingLast = true }
        return .entered
    }

    /// The next value, if there is one.
    @_alwaysEmitIntoClient @inline(__always)
    final func takeNext(_ held: borrowing HeldLock) -> Value? {
        guard staged.hasNext else { return nil }
        staged.hasNext = false
        // A trivial value can stay there.
        return _isPOD(Value.self) ? next.unsafelyUnwrapped : next.take().unsafelyUnwrapped
    }

    /// Publishes without an event, for a value whose release has no effect.
    @_alwaysEmitIntoClient @inline(__always)
    final func publishSilently(_ held: borrowing HeldLock) -> Publication {
        if let new = takeNext(held) {
            countChange(held)
            value = new
        }
        return .silent
    }

    /// Requires the gate of the signal: see ``PropertyNode/Behavior/deliver``.
    @_alwaysEmitIntoClient @inline(__always)
    final func deliver(_ thread: UInt) {
        deliveryOwner.writes()
        let former = _isPOD(Value.self) ? nil : former.take()
        withCore { core in
            if let value = outgoing.take() { core.deliver(value) }
            if isOutgoingLast { core.deliverEnd(.completed) }
            core.leave(thread)
        }
        // Released after leaving the gate, because that may run the `deinit` of a user's object.
        withExtendedLifetime(former) {}
    }

    /// Starts the property's producer: sends the value, and then each later change.
    ///
    /// - Parameters:
    ///   - signal: Retained until the start has joined it.
    ///   - sendsValue: Whether to send the value, now or on the thread that is delivering an event.
    /// - Returns: The value at which the start has joined, if it has not been sent.
    @_alwaysEmitIntoClient @discardableResult
    package final func start(
        _ start: Start, _ sink: ProducerSink<Value, Never>, holding signal: Signal<Value, Never>,
        sendsValue: Bool = true
    ) -> Value? {
        refuseReading()
        // The receiver that ``Joining`` attaches takes over this observation.
        signal.core.beginObserving()
        let head = signal.core.deriveHead(sink)
        guard start.attach(head) else {
            signal.core.gate.push(DeferredUpkeep { signal.core.endObserving() })
            head.cutOff()
            sink.end(.interrupted)
            return nil
        }
        let thread = ThreadIdentity.current
        let gate = signal.core.gate
        // Values change and events are enqueued under the lock. While it is held once, this start reads the value and
        // takes its place among the events. So it misses no change, and receives none twice.
        let isInside = gate.isOwnedByCaller
        let isDeferred = sendsValue && !isInside
        let (first, isEntered, wasOffered) = whileReadable { value -> (Value, Bool, Bool) in
            if gate.enterIfIdle(thread) { return (value, true, false) }
            let joining = Joining(signal.core, head, isDeferred ? value : nil, hasEnded: links.hasEnded)
            gate.add(DeferredWork { withExtendedLifetime(signal) { joining.perform() } })
            return (value, false, gate.isOffered)
        }
        if isEntered {
            Joining(signal.core, head, sendsValue ? first : nil, hasEnded: signal.core.terminated.isRaised).perform()
            gate.leavePassively(thread)
        } else if isInside {
            // The start is made from inside one of the signal's events. No other thread delivers in the meantime.
            if sendsValue { head.deliver(first) }
        } else if gate.contention == .enqueue {
            // A start does not deliver what other threads have sent.
            PassiveSection.run { gate.settle() }
        } else {
            waitForTurn(thread, wasOffered: wasOffered)
        }
        withExtendedLifetime(signal) {}
        return sendsValue ? nil : first
    }

    /// Runs `body` under the lock with the published value, once no thread is changing that in place.
    @_alwaysEmitIntoClient
    final func whileReadable<Result>(_ body: (Value) -> Result) -> Result {
        while true {
            let result = domain.withLock { isChangedInPlace($0) ? nil : body(value.unsafelyUnwrapped) }
            if let result { return result }
            awaitBody()
        }
    }

    /// The work that the owner of the gate does for a start.
    @frozen @usableFromInline
    struct Joining: Sendable {
        @usableFromInline let core: Core<Value, Never>
        @usableFromInline let head: Core<Value, Never>
        @usableFromInline let first: Value?
        @usableFromInline let hasEnded: Bool

        @_alwaysEmitIntoClient
        init(_ core: Core<Value, Never>, _ head: Core<Value, Never>, _ first: Value?, hasEnded: Bool) {
            self.core = core
            self.head = head
            self.first = first
            self.hasEnded = hasEnded
        }

        // Inlinable, so that the receiver which it makes is specialized.
        @_alwaysEmitIntoClient
        func perform() {
            if let first { head.deliver(first) }
            if hasEnded { head.deliverEnd(.completed) } else { head.observeUpstreamAsOwner(core) }
        }
    }

    @_alwaysEmitIntoClient
    package final func producer(holding signal: Signal<Value, Never>) -> SignalProducer<Value, Never> {
        SignalProducer(StreamName("", parent: signal.core), contention: contention) { start, sink in
            self.start(start, sink, holding: signal)
        }
    }

    /// The producer for a property that follows this one. A start sends the value before it returns, even if it does not
    /// wait for a thread that is delivering an event. Otherwise the other property would read the value, and then
    /// receive it again like a change.
    final func promptProducer(holding signal: Signal<Value, Never>) -> SignalProducer<Value, Never> {
        .prompt(StreamName("", parent: signal.core), contention: contention) { start, sink in
            self.start(start, sink, holding: signal, sendsValue: false)
        }
    }
}

/// Publishes a value whose event another thread delivers. A function, not a method, so that the callers can jump to it.
@_alwaysEmitIntoClient @inline(never)
func publishToInbox<Value>(_ node: ValueNode<Value>, _ held: borrowing HeldLock) -> PropertyNode.Publication {
    let core = node.coreReference.unsafelyUnwrapped.takeUnretainedValue()
    if let new = node.takeNext(held) {
        node.countChange(held)
        core.add(.next(new))
        // The owner of the gate releases the previous value, because it holds no lock. It may do so immediately, so
        // this thread, which holds one, must have given up its reference before.
        if _isPOD(Value.self) {
            node.value = new
        } else {
            let former = ReleaseOperation(node.value)
            node.value = new
            core.gate.add(former)
        }
    }
    if node.staged.isEnding { core.add(.completed) }
    return .added
}

/// The events of a propagation that have yet to be delivered. References are counted manually, because usually there is
/// nothing to count.
///
/// The nodes are not retained. If an observer or another thread releases a node whose gate has been entered, the node
/// is deallocated only after the gate has been left: see `release(owning:)`.
struct Events {
    /// What is rarely needed.
    final class Rest {
        /// Nodes whose gates the propagation has entered and whose events are delivered behind those of another domain.
        /// Retained by these references: a thread that takes over the gate also leaves it.
        @exclusivity(unchecked) var later: [Unmanaged<PropertyNode>] = []
        /// Nodes whose events are in the inboxes of their gates, and whether these were offered then.
        @exclusivity(unchecked) var added: [(node: PropertyNode, wasOffered: Bool)] = []
        /// Domains to leave once no lock is held, because threads wait there or have pushed operations.
        @exclusivity(unchecked) var busy: [Domain] = []
        /// Gates that have been offered while threads wait for them.
        @exclusivity(unchecked) var awaited: [Gate] = []
        /// References to dependents that have been removed.
        @exclusivity(unchecked) var garbage: [Unmanaged<PropertyNode>] = []
        /// Nodes to unlink.
        @exclusivity(unchecked) var unwanted: [PropertyNode] = []
        /// What the closures have left.
        @exclusivity(unchecked) var afterwards: [PureSection.Afterwards] = []
    }

    /// Nodes whose gates the propagation has entered, linked through `nextToDeliver` in the order of delivery.
    private var first: Unmanaged<PropertyNode>?
    private var last: Unmanaged<PropertyNode>?
    /// The last of them that ``isBehindObserver(_:)`` has looked at, and the domain of an observed one.
    private var examined: Unmanaged<PropertyNode>?
    private var observed: Unmanaged<Domain>?
    private var areSeveralObserved = false
    /// A retained reference to what is rarely needed; `nil` if there is none.
    private(set) var rest: Unmanaged<Rest>?

    /// Publishes a node and enqueues its event.
    @inline(__always)
    mutating func publish(_ node: PropertyNode, _ thread: UInt, _ held: borrowing HeldLock) {
        switch node.behavior.publish(node, thread, held) {
        case .entered:
            let reference = Unmanaged.passUnretained(node)
            if node.links.isDeliveredFirst {
                node.nextToDeliver = first
                first = reference
                if last == nil { last = reference }
                return
            }
            if isLater(node) { return deliverLater(node) }
            node.nextToDeliver = nil
            if let last { last._withUnsafeGuaranteedRef { $0.nextToDeliver = reference } } else { first = reference }
            last = reference
        case .added: noteRest { $0.added.append((node, node.signalCore?.gate.isOffered == true)) }
        case .silent: break
        }
    }

    /// Whether a node's event is delivered behind one of another domain that has an observer, so that the observer can
    /// hold it up.
    @inline(__always)
    private mutating func isLater(_ node: PropertyNode) -> Bool {
        if first == nil { return false }
        if let rest, rest._withUnsafeGuaranteedRef({ !$0.later.isEmpty }) { return true }
        return node.domain.height > 0 && isBehindObserver(node.domain)
    }

    /// Whether an event of another domain that is delivered at once has an observer. (Others only release the value
    /// before.)
    @inline(never)
    private mutating func isBehindObserver(_ domain: Domain) -> Bool {
        var next = examined.map { $0._withUnsafeGuaranteedRef { $0.nextToDeliver } } ?? first
        while let node = next {
            examined = node
            node._withUnsafeGuaranteedRef { node in
                next = node.nextToDeliver
                if node.signalCore.unsafelyUnwrapped.observerCount == 0 { return }
                let found = Unmanaged.passUnretained(node.domain)
                if let observed, observed.toOpaque() != found.toOpaque() { areSeveralObserved = true }
                observed = found
            }
        }
        guard let observed else { return false }
        return areSeveralObserved || observed.toOpaque() != Unmanaged.passUnretained(domain).toOpaque()
    }

    @inline(never)
    private mutating func deliverLater(_ node: PropertyNode) {
        noteRest { rest in
            if rest.later.isEmpty { rest.later.reserveCapacity(16) }
            rest.later.append(.passRetained(node))
        }
    }

    /// Lets threads that set what a later node follows from, or start its producer, deliver its event first: so the
    /// observers before it hold up nobody. Only combinations, and what follows from them. Not in a disposal, which
    /// leaves no event to other threads.
    ///
    /// - Parameter held: The locks with which everything has been published. A thread that waits for one of these gates
    ///   has added its event before this thread entered, so that it has been delivered, or adds it afterwards.
    @inline(__always)
    func offer(_ held: borrowing HeldLock) {
        if let rest { rest._withUnsafeGuaranteedRef { offer($0) } }
    }

    @inline(never)
    private func offer(_ rest: Rest) {
        let isOrdered = first.map { $0._withUnsafeGuaranteedRef { $0.links.isDeliveredFirst } } ?? true
        if isOrdered || PassiveSection.isCurrent { return }
        for node in rest.later {
            node._withUnsafeGuaranteedRef { node in
                guard node.domain.height > 0, let gate = node.signalCore?.gate else { return }
                if gate.offer() { rest.awaited.append(gate) }
            }
        }
    }

    @inline(never)
    mutating func noteRest(_ note: (Rest) -> Void) {
        let rest = self.rest ?? .passRetained(Rest())
        self.rest = rest
        note(rest.takeUnretainedValue())
    }

    /// No lock may be held.
    @inline(__always)
    func leaveBusy() {
        rest?._withUnsafeGuaranteedRef { rest in
            for domain in rest.busy { domain.gate.leaveSlowly() }
            rest.busy = []
            for gate in rest.awaited { WaitingRoom.shared.alert(gate) }
            rest.awaited = []
        }
    }

    /// Delivers the events whose gates were entered. Called when nothing is owned.
    @inline(__always)
    func deliver(_ thread: UInt, mayWait: Bool) {
        var next = first
        while let node = next {
            // Read first, because delivering leaves the gate.
            next = node._withUnsafeGuaranteedRef { $0.nextToDeliver }
            node._withUnsafeGuaranteedRef { $0.behavior.deliver($0, thread) }
        }
        waitAndRelease(thread, mayWait: mayWait)
    }

    /// Called when nothing is owned. Waits for the events that other threads deliver, if the caller may wait, releases
    /// what is no longer needed, and performs what the closures have left.
    @inline(__always)
    func waitAndRelease(_ thread: UInt, mayWait: Bool) {
        if let rest { waitAndRelease(rest, thread, mayWait: mayWait) }
    }

    @inline(never)
    private func waitAndRelease(_ rest: Unmanaged<Rest>, _ thread: UInt, mayWait: Bool) {
        let rest = rest.takeRetainedValue()
        for node in rest.later {
            node._withUnsafeGuaranteedRef { node in
                // The propagations of a thread are nested, so what it has entered for this node is this event.
                if node.isEntered(by: thread) {
                    node.behavior.deliver(node, thread)
                } else if mayWait {
                    node.waitForTurn(thread, wasOffered: false)
                }
            }
            node.release(owning: nil)
        }
        for (node, wasOffered) in rest.added { node.waitForTurn(thread, mayWait: mayWait, wasOffered: wasOffered) }
        for node in rest.garbage { node.release(owning: nil) }
        for node in rest.unwanted {
            if let memory = node.memory, node.domain.withLock({ node.links.hasEnded }) { memory.end() }
            node.unlinkIfUnwanted(nil)
        }
        for afterwards in rest.afterwards { afterwards.perform() }
    }
}

extension PropertyNode {
    /// Whether the caller, which has entered the gate of the signal, still owns it.
    final func isEntered(by thread: UInt) -> Bool { signalCore.unsafelyUnwrapped.gate.isOwned(by: thread) }

    /// Returns after the event that the caller has added has been delivered, unless waiting for that would close a
    /// cycle or the gate's contention is `.enqueue`.
    ///
    /// - Parameters:
    ///   - mayWait: Whether to wait for observers.
    ///   - wasOffered: Whether the gate was offered when the event was added, under the same lock. Otherwise a thread
    ///     that offers it now has entered it after that event.
    @usableFromInline
    final func waitForTurn(_ thread: UInt, mayWait: Bool = true, wasOffered: Bool) {
        let gate = signalCore.unsafelyUnwrapped.gate
        guard mayWait else { return gate.settle() }
        var stopsIfOffered = !PassiveSection.isCurrent
        if stopsIfOffered, wasOffered, gate.isOffered { stopsIfOffered = deliverOffered(thread) }
        gate.waitForTurn(thread, stopsIfOffered: stopsIfOffered)
    }

    /// Delivers events that their propagation has not come to, of this node and of what it is derived from, in the
    /// order of the computation and under no task-locals. An event of a signal that the caller is inside follows later,
    /// as always.
    ///
    /// - Returns: False if it has stopped at an event that another thread is delivering.
    private final func deliverOffered(_ thread: UInt) -> Bool {
        var (nodes, candidates): ([PropertyNode], [PropertyNode]) = ([], [self])
        var known: Set<ObjectIdentifier> = []
        while let node = candidates.popLast() {
            if node.isRoot || !known.insert(ObjectIdentifier(node)).inserted { continue }
            nodes.append(node)
            candidates += node.inputs
        }
        for node in nodes.sorted(by: { $0.height < $1.height }) {
            guard let gate = node.domain.withLock({ node.signalCore })?.gate else { continue }
            if gate.takeOver(thread) {
                CapturedContext.runWithout { node.behavior.deliver(node, thread) }
            } else if gate.isTaken, !gate.isOwned(by: thread) {
                return false
            }
        }
        return true
    }
}

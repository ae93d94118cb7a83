import HotSignals

/// A change and everything that follows from it. The propagation computes each node that is linked to what has changed
/// once, the lower ones first. Then all values become visible together, and then the events are sent.
///
/// # Protocol
/// 1. The owner of the gates of the domains of what has changed begins, under their locks:
///    ``init(_:_:_:leaves:mayWait:)``.
/// 2. ``take()`` computes. No lock is held, because this runs user closures, and readers see the previous values. Where
///    a node heads another domain, the propagation first enters that domain. So two propagations meet only at nodes
///    that are derived from both changes.
/// 3. The propagation publishes everything at once, under the locks of all domains that it has entered. At the same
///    time it enqueues the events: if the gate of a signal is idle, the propagation enters the gate, otherwise the
///    event goes to the gate's inbox. So the events of a property are in the order of its values.
/// 4. The propagation leaves the domains, and delivers. A set made by an observer during the delivery is a separate
///    propagation on top of this one. Its events follow those of this propagation.
///
/// A propagation waits for domains in their order. Newcomers are computed out of order. If the domain of one is taken,
/// the propagation discards what it has computed, and begins again: newcomers are ordinary dependents the next time. A
/// propagation that must not wait gives up instead, and has published nothing. It releases nothing of the user before
/// it has left all domains: what it drops earlier is kept by the ``PureSection``, or by the events.
///
/// Nodes are not retained here. Nothing is unlinked while a propagation computes in its domain or in that of an input,
/// and a node whose gate has been entered is not deallocated before the gate has been left.
struct Propagation: ~Copyable {
    /// The queue: the roots that have changed, then the nodes that have been computed, then those still to be computed,
    /// in the order of their heights.
    private let first: Unmanaged<PropertyNode>
    private var last: Unmanaged<PropertyNode>
    /// The last node in the queue that needs no further computation.
    private var done: Unmanaged<PropertyNode>
    /// The last of the roots that the propagation began with.
    private var lastRoot: Unmanaged<PropertyNode>
    /// The domains that the propagation has entered, linked in the order of locks.
    private var firstHeld: Unmanaged<Domain>
    private var lastHeld: Unmanaged<Domain>
    /// Nodes to be computed whose domains have not been entered.
    private var foreign = ForeignNodes()
    /// Whether any property ends.
    private var hasEnds: Bool
    private var hasTakenInNewcomers = false
    /// The number of nodes that it has taken in. Other threads that link nodes all the time could keep it for ever, so
    /// from ``ForeignWork/limit`` on they wait for it.
    private var newcomers = 0
    private let thread: UInt
    private let mayWait: Bool
    private var events = Events()

    // MARK: 1. Beginning

    /// Begins with a root that has a next value or ends. The caller owns the gates, and leaves those that it has
    /// entered itself.
    ///
    /// - Parameters:
    ///   - held: The locks of the domains of all roots that the propagation begins with.
    ///   - leaves: Whether the propagation leaves the gate of the root.
    @inline(__always)
    init(_ root: PropertyNode, _ thread: UInt, _ held: borrowing HeldLock, leaves: Bool, mayWait: Bool) {
        let reference = Unmanaged.passUnretained(root)
        (first, last, done, lastRoot) = (reference, reference, reference, reference)
        (self.thread, self.mayWait) = (thread, mayWait)
        hasEnds = root.staged.isEnding
        let domain = root.domain
        (firstHeld, lastHeld) = (.passUnretained(domain), .passUnretained(domain))
        domain.propagation = reference
        domain.nextHeld = nil
        domain.isLeftByPropagation = leaves
        root.staged.isQueued = true
        root.staged.successor = nil
        enqueueDependents(of: root, held)
    }

    /// Adds a root whose domain comes after those of the others.
    private mutating func add(_ root: PropertyNode, _ held: borrowing HeldLock, leaves: Bool) {
        root.staged.isQueued = true
        let reference = Unmanaged.passUnretained(root)
        root.staged.successor = done._withUnsafeGuaranteedRef { $0.staged.successor }
        done._withUnsafeGuaranteedRef { $0.staged.successor = reference }
        if last.toOpaque() == done.toOpaque() { last = reference }
        (done, lastRoot) = (reference, reference)
        if root.staged.isEnding { hasEnds = true }
        hold(root.domain, held, leaves: leaves)
        enqueueDependents(of: root, held)
    }

    /// Records that the propagation has entered a domain.
    ///
    /// - Parameter lock: That of `domain`.
    @inline(__always)
    private mutating func hold(_ domain: Domain, _ lock: borrowing HeldLock, leaves: Bool) {
        domain.propagation = first
        domain.nextHeld = nil
        domain.isLeftByPropagation = leaves
        let held = Unmanaged.passUnretained(domain)
        // Newcomers can be out of order.
        guard lastHeld._withUnsafeGuaranteedRef({ $0 < domain }) else { return insertHeld(held) }
        lastHeld._withUnsafeGuaranteedRef { $0.nextHeld = held }
        lastHeld = held
    }

    /// Inserts a domain in the order of locks.
    @inline(never)
    private mutating func insertHeld(_ held: Unmanaged<Domain>) {
        held._withUnsafeGuaranteedRef { domain in
            guard firstHeld._withUnsafeGuaranteedRef({ $0 < domain }) else {
                domain.nextHeld = firstHeld
                firstHeld = held
                return
            }
            var before = firstHeld
            while let next = before._withUnsafeGuaranteedRef({ $0.nextHeld }),
                next._withUnsafeGuaranteedRef({ $0 < domain })
            { before = next }
            domain.nextHeld = before._withUnsafeGuaranteedRef { $0.nextHeld }
            before._withUnsafeGuaranteedRef { $0.nextHeld = held }
        }
    }

    /// Enqueues the nodes that are linked to `node`.
    @inline(__always)
    private mutating func enqueueDependents(of node: PropertyNode, _ held: borrowing HeldLock) {
        for dependent in node.links.dependents {
            let dependent = dependent.node
            dependent._withUnsafeGuaranteedRef { object in
                if object.domain === node.domain { enqueue(dependent) } else { foreign.add(dependent) }
            }
        }
    }

    /// Enqueues a node whose domain has been entered, unless it is already queued or has ended. It comes after the
    /// nodes that are not higher.
    @inline(__always)
    private mutating func enqueue(_ new: Unmanaged<PropertyNode>) {
        new._withUnsafeGuaranteedRef { object in
            if object.staged.isQueued || object.links.hasEnded { return }
            object.staged.isQueued = true
            object.staged.successor = nil
            let isHighest = last._withUnsafeGuaranteedRef { last -> Bool in
                if last.height > object.height { return false }
                last.staged.successor = new
                return true
            }
            if isHighest { last = new } else { insert(new, object) }
        }
    }

    /// Like ``enqueue(_:)``, for a node that is lower than the last one in the queue, which may have been computed.
    @inline(never)
    private mutating func insert(_ new: Unmanaged<PropertyNode>, _ object: PropertyNode) {
        var before = done
        while let next = before._withUnsafeGuaranteedRef({ $0.staged.successor }),
            next._withUnsafeGuaranteedRef({ $0.height }) <= object.height
        { before = next }
        object.staged.successor = before._withUnsafeGuaranteedRef { $0.staged.successor }
        before._withUnsafeGuaranteedRef { $0.staged.successor = new }
        if before.toOpaque() == last.toOpaque() { last = new }
    }

    /// Runs a propagation that begins with several roots, in which the next values have been staged.
    ///
    /// - Parameters:
    ///   - first: The first of the roots, which are linked in the order of their domains.
    ///   - held: The locks of all of them. They are released.
    ///   - leaves: Whether the propagation leaves their gates.
    static func take(_ first: PropertyNode, _ thread: UInt, _ held: consuming HeldLock, leaves: Bool) -> Events {
        var next = first.staged.successor
        var propagation = Propagation(first, thread, held, leaves: leaves, mayWait: true)
        while let root = next {
            root._withUnsafeGuaranteedRef {
                next = $0.staged.successor
                propagation.add($0, held, leaves: leaves)
            }
        }
        releaseAll(held, propagation.firstHeld)
        _ = propagation.take()
        return propagation.takeEvents()
    }

    /// The same for two roots, in any order.
    static func take(
        _ one: PropertyNode, _ other: PropertyNode, _ thread: UInt, _ held: consuming HeldLock, leaves: Bool
    ) -> Events {
        let (first, second) = one.domain < other.domain ? (one, other) : (other, one)
        first.staged.successor = .passUnretained(second)
        second.staged.successor = nil
        return take(first, thread, held, leaves: leaves)
    }

    // MARK: 2. Computing

    /// Runs the propagation: computes, publishes, leaves. Returns the gate that was taken if it has given up.
    @inline(__always)
    mutating func take() -> DomainGate? {
        repeat {
            let sections = first._withUnsafeGuaranteedRef { PureSection.begin(thread, $0) }
            while true {
                let own = done._withUnsafeGuaranteedRef { $0.staged.successor }
                if let other = foreign.lowest, own.map({ Self.isBelow(other, $0) }) ?? true {
                    if let gate = enter(other) {
                        giveUp()
                        if !mayWait {
                            endSection(sections)
                            return gate
                        }
                        beginAgain()
                    }
                    continue
                }
                guard let own else { break }
                let hasToWait = own._withUnsafeGuaranteedRef { $0.links.newcomerTo != nil && isPending($0) }
                if hasToWait {
                    skip(own)
                } else {
                    sections._withUnsafeGuaranteedRef { $0.compute(own) }
                    own._withUnsafeGuaranteedRef { compute($0) }
                }
            }
            endSection(sections)
        } while !publish()
        return nil
    }

    consuming func takeEvents() -> Events { events }

    @inline(__always)
    private mutating func endSection(_ sections: Unmanaged<PureSection.Stack>) {
        let afterwards = first._withUnsafeGuaranteedRef { PureSection.end(thread, sections, $0) }
        if let afterwards { events.noteRest { $0.afterwards.append(afterwards) } }
    }

    /// Whether a node has to wait until the propagation takes in newcomers, because it follows from one of them.
    @inline(never)
    private func isPending(_ node: PropertyNode) -> Bool {
        node.domain.withLock {
            let open = (node.links.newcomerTo ?? []).filter { !$0.isClosed }
            node.links.newcomerTo = open.isEmpty ? nil : open
            return open.contains { $0.isOwnedByCaller }
        }
    }

    /// Removes the next node from the queue.
    @inline(never)
    private mutating func skip(_ reference: Unmanaged<PropertyNode>) {
        reference._withUnsafeGuaranteedRef { node in
            done._withUnsafeGuaranteedRef { $0.staged.successor = node.staged.successor }
            if last.toOpaque() == reference.toOpaque() { last = done }
            node.staged.isQueued = false
        }
    }

    @inline(__always)
    private mutating func compute(_ node: PropertyNode) {
        done = .passUnretained(node)
        if hasEnds {
            computeOrEnd(node)
        } else {
            // An input has changed, otherwise the node would not be queued.
            node.staged.hasNext = node.behavior.compute(node, nil)
            if node.staged.isEnding { hasEnds = true }
        }
        guard node.staged.hasNext || node.staged.isEnding, node.dependentCount.load() != 0 else { return }
        // Like `withLock`, but without a closure, which would retain the objects.
        let held = node.domain.acquire()
        enqueueDependents(of: node, held)
        node.domain.release(held)
    }

    @inline(never)
    private func computeOrEnd(_ node: PropertyNode) {
        node.staged.isEnding = node.endsNow()
        let isDue = node.containsInput { input in
            input.isStaged(for: node) && (input.staged.hasNext || node.isEndingComputed && input.staged.isEnding)
        }
        if isDue { node.staged.hasNext = node.behavior.compute(node, nil) }
    }

    @inline(__always)
    private static func isBelow(_ left: Unmanaged<PropertyNode>, _ right: Unmanaged<PropertyNode>) -> Bool {
        left._withUnsafeGuaranteedRef { left in right._withUnsafeGuaranteedRef { left.height <= $0.height } }
    }

    /// Enters the domain of the lowest foreign node. Returns the gate if it is taken, and the propagation cannot wait.
    @inline(__always)
    private mutating func enter(_ reference: Unmanaged<PropertyNode>) -> DomainGate? {
        reference._withUnsafeGuaranteedRef { node -> DomainGate? in
            let domain = node.domain
            // Threads wait for domains only in their order. Out of order, this propagation could block threads that
            // wait in order.
            let isInOrder = !hasTakenInNewcomers || lastHeld._withUnsafeGuaranteedRef { $0 < domain }
            var isEntered = domain.gate.enterIfIdle(thread)
            if !isEntered, !domain.gate.isOwned(by: thread) {
                if mayWait, isInOrder {
                    domain.gate.enterSlowly(thread)
                } else if !domain.gate.enterIfFree(thread) {
                    return domain.gate
                }
                isEntered = true
            }
            let held = domain.acquire()
            // Otherwise the domain has been entered for another node, or for another input of this one.
            if domain.propagation == nil { hold(domain, held, leaves: isEntered) }
            domain.release(held)
            enqueue(reference)
            foreign.removeLowest()
            return nil
        }
    }

    /// Discards everything that has been computed, and leaves all domains but those of the roots. Without a further
    /// attempt, discards what it began with, too.
    @inline(never)
    private mutating func giveUp() {
        while foreign.lowest != nil { foreign.removeLowest() }
        var next: Unmanaged<PropertyNode>? =
            mayWait ? lastRoot._withUnsafeGuaranteedRef { $0.staged.successor } : first
        while let reference = next {
            reference._withUnsafeGuaranteedRef { node in
                next = node.staged.successor
                node.discardNext()
            }
        }
        Self.releaseAll(Self.acquireAll(firstHeld), firstHeld) { domain, held in
            if domain.state.isCrowded { tidy(domain, held) }
            if !isOfRoot(domain) {
                leave(domain, held)
            } else if !mayWait {
                domain.propagation = nil
            }
        }
        events.leaveBusy()
    }

    /// Begins again with the same roots. Their domains are the only ones that have not been left.
    private mutating func beginAgain() {
        (hasTakenInNewcomers, hasEnds) = (false, false)
        (last, done) = (lastRoot, lastRoot)
        lastRoot._withUnsafeGuaranteedRef { $0.staged.successor = nil }
        firstHeld = first._withUnsafeGuaranteedRef { .passUnretained($0.domain) }
        lastHeld = firstHeld
        var next: Unmanaged<PropertyNode>? = first
        while let reference = next {
            reference._withUnsafeGuaranteedRef { root in
                // Read before its dependents follow the last root.
                next = reference.toOpaque() == lastRoot.toOpaque() ? nil : root.staged.successor
                if root.staged.isEnding { hasEnds = true }
                let domain = root.domain
                let lock = domain.acquire()
                domain.nextHeld = nil
                let held = Unmanaged.passUnretained(domain)
                if held.toOpaque() != lastHeld.toOpaque() {
                    lastHeld._withUnsafeGuaranteedRef { $0.nextHeld = held }
                    lastHeld = held
                }
                enqueueDependents(of: root, lock)
                domain.release(lock)
            }
        }
    }

    /// Whether the propagation began in this domain.
    private func isOfRoot(_ domain: Domain) -> Bool {
        // Only a propagation that may wait begins with several roots.
        if !mayWait { return first._withUnsafeGuaranteedRef { $0.domain === domain } }
        var node = first
        while true {
            if node._withUnsafeGuaranteedRef({ $0.domain === domain }) { return true }
            guard node.toOpaque() != lastRoot.toOpaque(),
                let next = node._withUnsafeGuaranteedRef({ $0.staged.successor })
            else { return false }
            node = next
        }
    }

    // MARK: 3. Publishing

    /// Acquires the locks of all domains that have been entered. Calls `visit` under the lock of each.
    @inline(__always)
    private static func acquireAll(_ first: Unmanaged<Domain>, _ visit: (Domain) -> Void = { _ in }) -> HeldLock {
        var next: Unmanaged<Domain>? = first
        while let domain = next {
            domain._withUnsafeGuaranteedRef {
                next = $0.nextHeld
                $0.lock.lock()
                visit($0)
            }
        }
        return HeldLock()
    }

    /// Releases these locks. Calls `visit` before each.
    @inline(__always)
    private static func releaseAll(
        _ held: consuming HeldLock, _ first: Unmanaged<Domain>,
        _ visit: (Domain, borrowing HeldLock) -> Void = { _, _ in }
    ) {
        var next: Unmanaged<Domain>? = first
        while let domain = next {
            domain._withUnsafeGuaranteedRef {
                next = $0.nextHeld
                visit($0, held)
                // Last, because the domain may be deallocated afterwards.
                $0.lock.unlock()
            }
        }
    }

    /// Publishes everything at once, unless newcomers must be computed first. In that case it returns `false`.
    @_transparent
    private mutating func publish() -> Bool {
        var isCrowded = false
        let held = Self.acquireAll(firstHeld) { if $0.state.isCrowded { isCrowded = true } }
        if isCrowded, takeInNewcomers(held) {
            hasTakenInNewcomers = true
            Self.releaseAll(held, firstHeld)
            return false
        }
        var next: Unmanaged<PropertyNode>? = first
        while let reference = next {
            reference._withUnsafeGuaranteedRef { node in
                next = node.staged.successor
                node.staged.isQueued = false
                if node.isKept { node.memory?.isStaged = false }
                if node.staged.hasNext || node.staged.isEnding { events.publish(node, thread, held) }
                if hasEnds, node.staged.isEnding { end(node, held) }
            }
        }
        events.offer(held)
        Self.releaseAll(held, firstHeld) { domain, held in
            if domain.state.isCrowded { tidy(domain, held) }
            leave(domain, held)
        }
        events.leaveBusy()
        return true
    }

    @inline(never)
    private mutating func end(_ node: PropertyNode, _ held: borrowing HeldLock) {
        node.staged.isEnding = false
        node.links.hasEnded = true
        events.noteRest { rest in
            node.releaseDependents(&rest.garbage, held)
            // Its inputs remove it later: their locks may not be held, and other propagations may be about to reach it.
            rest.unwanted.append(node)
        }
    }

    /// - Parameter held: The lock of `domain`.
    @inline(__always)
    private mutating func leave(_ domain: Domain, _ held: borrowing HeldLock) {
        domain.propagation = nil
        if domain.isLeftByPropagation, !domain.gate.leaveIfIdle(thread) { events.noteRest { $0.busy.append(domain) } }
    }

    /// - Parameter held: The lock of `domain`.
    @inline(never)
    private mutating func tidy(_ domain: Domain, _ held: borrowing HeldLock) {
        domain.state.isCrowded = false
        domain.state.refusesNewcomers = false
        events.noteRest { rest in
            // Left by a propagation that has given up.
            if let newcomers = domain.state.newcomers.take() { rest.unwanted += newcomers.close() }
            rest.unwanted += domain.state.unwanted
            domain.state.unwanted = []
        }
    }

    /// Makes threads that link nodes wait for this propagation.
    private func refuseNewcomers(_ lock: borrowing HeldLock) {
        var next: Unmanaged<Domain>? = firstHeld
        while let held = next {
            held._withUnsafeGuaranteedRef { domain in
                next = domain.nextHeld
                domain.state.refusesNewcomers = true
                domain.state.isCrowded = true
            }
        }
    }

    /// Enqueues the nodes that have been linked since the propagation began and whose inputs have changed. Returns
    /// whether there are any.
    @inline(never)
    private mutating func takeInNewcomers(_ lock: borrowing HeldLock) -> Bool {
        var isAny = false
        var next: Unmanaged<Domain>? = firstHeld
        while let held = next {
            held._withUnsafeGuaranteedRef { domain in
                next = domain.nextHeld
                guard let newcomers = domain.state.newcomers.take() else { return }
                let nodes = newcomers.close()
                self.newcomers += nodes.count
                for node in nodes {
                    let isDue = node.containsInput { input in
                        let domain = input.domain
                        let isHeld = domain.gate.isOwnedByCaller && domain.propagation?.toOpaque() == first.toOpaque()
                        return isHeld && (input.staged.hasNext || input.staged.isEnding)
                    }
                    guard isDue else { continue }
                    foreign.add(.passUnretained(node))
                    isAny = true
                }
                // Retained until the events have been sent.
                domain.state.unwanted += nodes
            }
        }
        if isAny, newcomers >= ForeignWork.limit { refuseNewcomers(lock) }
        return isAny
    }
}

import HotSignals

/// A change and all that follows from it: the properties whose inputs have changed are computed, each once, the lower ones first;
/// then all values become visible together; then the events are sent.
///
/// # Protocol
/// 1. The owner of the graph's gate begins, under the lock, with what has changed: ``Graph/begin(with:)``.
/// 2. ``Graph/takeTurn(_:leaves:waits:)`` computes what is derived from that. No lock is held, as these are a user's closures. Whoever
///    reads sees the former values.
/// 3. It publishes, in one go under the lock. The events are lined up as well: for a signal whose gate is idle this turn enters
///    the gate, otherwise the event goes into the gate's inbox. So the events of a property are in the order of its values.
/// 4. It leaves the graph, and delivers. What an observer sets meanwhile is a turn of its own, on top of this one; its events come
///    after those of this turn.
///
/// A property that is derived while a turn computes is a *newcomer*: it has seen the former values. The turn takes it in before it
/// publishes.
///
/// Nodes are not retained here: what is unlinked while a turn computes is debris of the graph, and a node whose gate is entered
/// does not go before that has been left.
@frozen @usableFromInline
struct Turn {
    /// What has changed, what has been computed, and what is yet to be computed, in this order; linked through `nextInTurn`. What
    /// is to be computed is in the order of its height.
    @usableFromInline var first: Unmanaged<PropertyNode>?
    @usableFromInline var last: Unmanaged<PropertyNode>?
    /// The last of those that the turn began with, which are not computed.
    @usableFromInline var lastChanged: Unmanaged<PropertyNode>?
    /// Whether a property ends, or has to be computed though no input has changed.
    @usableFromInline var isSpecial = false

    @inlinable
    init() {}

    /// Begins with a node, which has changed.
    @inline(__always)
    mutating func begin(with node: PropertyNode) {
        node.isQueued = true
        node.nextInTurn = nil
        let reference = Unmanaged.passUnretained(node)
        first = reference
        last = reference
        lastChanged = reference
        isSpecial = false
        enqueueDependents(of: node, after: node)
    }

    /// Begins with several nodes, which have changed.
    mutating func begin(with nodes: [PropertyNode]) {
        self = Turn()
        for node in nodes where !node.isQueued {
            node.isQueued = true
            node.nextInTurn = nil
            let reference = Unmanaged.passUnretained(node)
            if let last { last._withUnsafeGuaranteedRef { $0.nextInTurn = reference } } else { first = reference }
            last = reference
        }
        lastChanged = last
        if let last { for node in nodes { last._withUnsafeGuaranteedRef { enqueueDependents(of: node, after: $0) } } }
    }

    /// Lock. Has those computed that are derived from a node, after `last`, which is the last one that is done.
    @inline(__always)
    mutating func enqueueDependents(of node: PropertyNode, after last: PropertyNode) {
        for position in 0..<node.dependents.count {
            let dependent = node.dependents[position].node
            if dependent._withUnsafeGuaranteedRef({ !$0.isNewcomer }) { enqueue(dependent, after: last) }
        }
    }

    /// Has a node computed, once: after those that are not higher, and after `node`, which is the last one that is done.
    @inline(__always)
    mutating func enqueue(_ new: Unmanaged<PropertyNode>, after node: PropertyNode?) {
        new._withUnsafeGuaranteedRef { object in
            if object.isQueued { return }
            object.isQueued = true
            object.nextInTurn = nil
            guard let last else {
                first = new
                self.last = new
                return
            }
            last._withUnsafeGuaranteedRef { last in
                if last === node || last.height <= object.height {
                    last.nextInTurn = new
                } else {
                    insert(new, object, after: node)
                    return
                }
            }
            if object.nextInTurn == nil { self.last = new }
        }
    }

    /// As ``enqueue(_:after:)``, for one that is not the highest.
    @inline(never)
    private mutating func insert(
        _ new: Unmanaged<PropertyNode>, _ object: PropertyNode, after node: PropertyNode?
    ) {
        var before = node.map { Unmanaged.passUnretained($0) }
        var after = node.map(\.nextInTurn) ?? first
        while let next = after, next._withUnsafeGuaranteedRef({ $0.height }) <= object.height {
            before = next
            after = next._withUnsafeGuaranteedRef { $0.nextInTurn }
        }
        object.nextInTurn = after
        if let before { before._withUnsafeGuaranteedRef { $0.nextInTurn = new } } else { first = new }
    }
}

extension Graph {
    // MARK: 1

    /// Lock. Begins a turn with a node that has a next value.
    @usableFromInline
    func begin(with node: PropertyNode) {
        if isSpecial { return beginSpecially { turn.begin(with: node) } }
        computing &+= 1
        turn.begin(with: node)
    }

    /// Lock. Begins a turn in which a node ends.
    func begin(ending node: PropertyNode) {
        node.isEnding = true
        begin(with: node)
        turn.isSpecial = true
        isSpecial = true
    }

    /// Lock. Begins a turn with several nodes. They are held until their events have been sent, as an observer of one may release
    /// another.
    func begin(with nodes: [PropertyNode]) {
        beginSpecially { turn.begin(with: nodes) }
        let present = lockedGraph
        present.debris += nodes.map { .passRetained($0) }
        present.isSpecial = true
    }

    /// Lock. Begins where there may be more to be done than that.
    @inline(never)
    private func beginSpecially(_ begin: () -> Void) {
        let present = lockedGraph
        present.computing += 1
        begin()
        // Whoever was to refresh them comes too late: what this turn computes may derive from them.
        if present === self { takeInStale() }
    }

    /// Lock. The graph that this one is part of by now, whose lock it is.
    private var lockedGraph: Graph {
        var present = self
        while let successor = present.successor { present = successor }
        return present
    }

    // MARK: 2

    /// Takes the turn that has been begun.
    ///
    /// - Parameters:
    ///   - leaves: Whether the caller has entered the graph for this turn.
    ///   - waits: Whether the caller waits for events that other threads send.
    @usableFromInline
    func takeTurn(_ thread: UInt, leaves: Bool, waits: Bool = true) {
        turnOwner.writes()
        isInTurn = true
        var events = Events()
        var done = turn.lastChanged
        repeat { compute(after: &done, thread) } while !publish(done, thread, &events)
        isInTurn = false
        if leaves { gate.leave(thread) }
        events.send(thread)
        if let rest = events.rest { finish(rest, thread, waits: waits) }
    }

    /// After a turn in which something unusual has happened.
    @inline(never)
    private func finish(_ rest: Unmanaged<Events.Rest>, _ thread: UInt, waits: Bool) {
        let rest = rest.takeRetainedValue()
        // What was added to an inbox is delivered by the gate's owner; who may wait waits for that.
        for node in rest.added {
            let gate = node.signalCore.gate
            if waits { gate.waitForTurn(thread) } else { gate.settle() }
        }
        guard rest.isSpecial else { return }
        for node in rest.garbage { node.letGo() }
        if withLock({ !$0.stale.isEmpty }) { refresh(thread, mayWait: waits) }
    }

    /// Has those computed that are derived from a node, after `last`, which is the last one that is done.
    @inline(__always)
    private func enqueueDependents(of node: PropertyNode, after last: PropertyNode) {
        if node.dependentCount.load() == 0 { return }
        // As `withLock`, but for a closure, which would retain the objects.
        lock.lock()
        if successor == nil {
            turn.enqueueDependents(of: node, after: last)
            lock.unlock()
        } else {
            lock.unlock()
            withLockOfSuccessor { _ in turn.enqueueDependents(of: node, after: last) }
        }
    }

    /// Computes what comes after `done`, which then is the last one.
    @inline(__always)
    private func compute(after done: inout Unmanaged<PropertyNode>?, _ thread: UInt) {
        while let node = done.map({ $0._withUnsafeGuaranteedRef { $0.nextInTurn } }) ?? (done == nil ? turn.first : nil)
        {
            done = node
            node._withUnsafeGuaranteedRef { node in
                let isChanged: Bool
                if turn.isSpecial {
                    isChanged = computeSpecially(node, thread)
                } else {
                    // It has an input that has changed, or else it would not be here.
                    isChanged = node.compute(node)
                    node.hasNext = isChanged
                    if node.isEnding { becomeSpecial() }
                }
                if isChanged { enqueueDependents(of: node, after: node) }
            }
        }
    }

    /// A property ends in this turn that began as an ordinary one.
    @inline(never)
    private func becomeSpecial() {
        turn.isSpecial = true
        withLock { present in
            present.isSpecial = true
            isSpecial = true
        }
    }

    @inline(never)
    private func computeSpecially(_ node: PropertyNode, _ thread: UInt) -> Bool {
        node.isEnding = node.endsWhen { $0.isEnding || $0.hasEnded }
        if node.isRefreshed || node.inputs.contains(where: { $0.hasNext || node.ending.isComputed && $0.isEnding }) {
            node.isRefreshed = false
            node.hasNext = node.compute(node)
        }
        return node.hasNext || node.isEnding
    }

    // MARK: 3

    /// Publishes all, unless newcomers have to be computed first; then it returns false.
    @inline(__always)
    private func publish(
        _ last: Unmanaged<PropertyNode>?, _ thread: UInt, _ events: inout Events
    ) -> Bool {
        lock.lock()
        if isSpecial {
            lock.unlock()
            return publishSpecially(last, thread, &events)
        }
        var next = turn.first
        while let node = next {
            node._withUnsafeGuaranteedRef { node in
                next = node.nextInTurn
                node.isQueued = false
                if node.hasNext { events.publish(node, thread) }
            }
        }
        computing &-= 1
        lock.unlock()
        return true
    }

    /// Publishes where there is more to be done than that.
    @inline(never)
    private func publishSpecially(
        _ last: Unmanaged<PropertyNode>?, _ thread: UInt, _ events: inout Events
    ) -> Bool {
        withLock { present in
            takeIn(present, last)
            if last.map({ $0._withUnsafeGuaranteedRef { $0.nextInTurn } }) ?? nil != nil { return false }
            var references: [Unmanaged<PropertyNode>] = []
            var next = turn.first
            while let node = next {
                node._withUnsafeGuaranteedRef { node in
                    next = node.nextInTurn
                    node.isQueued = false
                    if node.hasNext || node.isEnding { events.publish(node, thread, isFirst: node.isHerald) }
                    // Inputs come first. One that is stale yet is for another turn, and so is this one.
                    if node.isStale { node.isStale = node.inputs.contains { $0.isStale } }
                    guard node.isEnding else { return }
                    node.isEnding = false
                    node.hasEnded = true
                    node.letGoOfDependents(&references)
                    node.whenEnded(&references)
                    node.unlink(present, &references)
                }
            }
            present.computing -= 1
            if present.computing == 0 {
                references += present.debris
                present.debris = []
            }
            present.reconsider()
            events.noteRest { rest in
                rest.garbage = references
                rest.isSpecial = true
            }
            return true
        }
    }

    /// Lock. Takes in what was derived since the turn began.
    private func takeIn(_ present: Graph, _ last: Unmanaged<PropertyNode>?) {
        let last = last?.takeUnretainedValue()
        if present.newcomers.isEmpty { return }
        if present.computing == 1, present.joined.isEmpty {
            for node in present.newcomers {
                node.isNewcomer = false
                if node.inputs.contains(where: { $0.hasNext || $0.isEnding }) {
                    turn.enqueue(.passUnretained(node), after: last)
                }
            }
        } else {
            // There is another turn, in a graph that was joined meanwhile, and a newcomer may depend on both. It is for a turn of
            // its own.
            for node in present.newcomers where !node.isStale {
                node.isStale = true
                present.stale.append(node)
            }
            if present.computing > 1 { return }
            for node in present.newcomers { node.isNewcomer = false }
        }
        present.debris += present.newcomers.map { .passRetained($0) }
        present.newcomers = []
    }

    // MARK: What was left

    /// Has the stale nodes computed whose inputs have changed.
    @usableFromInline
    func refresh(_ thread: UInt, mayWait: Bool = true) {
        switch enter(thread, mayWait: mayWait) {
        case .busy(let gate): gate.push(DeferredWork { self.refresh(ThreadIdentity.current) })
        case .entered(let graph): graph.refreshAsOwner(thread, leaves: true)
        case .inside(let graph): graph.refreshAsOwner(thread, leaves: false)
        }
    }

    private func refreshAsOwner(_ thread: UInt, leaves: Bool) {
        let isReady = withOwnLock {
            guard self.isReady else { return false }
            computing += 1
            turn = Turn()
            takeInStale()
            return true
        }
        if isReady { return takeTurn(thread, leaves: leaves) }
        // Joined to another one meanwhile.
        if leaves { gate.leave(thread) }
        refresh(thread)
    }

    /// Lock. Has this turn compute the stale nodes whose inputs have changed, unless there is another turn, which they may depend on.
    private func takeInStale() {
        guard !stale.isEmpty, computing == 1, joined.isEmpty else { return }
        let last = turn.lastChanged?.takeUnretainedValue()
        for node in stale where node.isStale {
            if node.places.isEmpty {
                node.isStale = false
                continue
            }
            // It stays stale until this turn publishes, so that whoever reads it waits: also where none of its inputs has changed yet, as
            // one of them may be stale, too.
            node.isRefreshed = node.inputs.versions != node.linkedVersions || node.ending.isComputed
            turn.enqueue(.passUnretained(node), after: last)
        }
        turn.isSpecial = true
        debris += stale.map { .passRetained($0) }
        stale = []
        isSpecial = true
    }
}

import HotSignals

/// A change and all that follows from it: what is linked to that is computed, each node once, the lower ones first; then all values become
/// visible together; then the events are sent.
///
/// # Protocol
/// 1. Whoever owns the gates of the domains of what has changed begins, under their locks: ``init(_:_:mayWait:)``.
/// 2. ``take(_:)`` computes. No lock is held, as these are a user's closures; whoever reads sees the former values. Where a node heads
///    another domain, the turn enters that first. So two turns meet only where something follows from both.
/// 3. It publishes, in one go under the locks of all domains that it has entered. The events are lined up as well: for a signal whose gate
///    is idle this turn enters the gate, otherwise the event goes into the gate's inbox. So the events of a property are in the order of
///    its values.
/// 4. It leaves the domains, and delivers. What an observer sets meanwhile is a turn of its own, on top of this one; its events come
///    after those of this turn.
///
/// If a gate is refused, it gives up: nothing has been published. Its caller still owns the gates that it began with, and decides what
/// becomes of the changes before anybody else can make one: ``PropertyNode/giveWay(to:keepsNext:)``.
///
/// Nodes are not retained here: nothing is unlinked while a turn computes in its domain or in that of an input, and a node whose gate is
/// entered does not go before that has been left.
struct Turn: ~Copyable {
    /// What has changed, what has been computed, and what is yet to be computed, in this order. What is to be computed is in the order of
    /// its height.
    private let first: Unmanaged<PropertyNode>
    private var last: Unmanaged<PropertyNode>
    /// The last one that is not to be computed.
    private var done: Unmanaged<PropertyNode>
    /// The last of those that the turn began with.
    private var lastRoot: Unmanaged<PropertyNode>
    /// The domains, in the order in which they were entered.
    private var firstHeld: Unmanaged<Domain>
    private var lastHeld: Unmanaged<Domain>
    /// Nodes to be computed whose domains have not been entered.
    private var foreign = ForeignNodes()
    /// Whether a property ends.
    private var hasEnds: Bool
    private(set) var hasTakenInNewcomers = false
    private let thread: UInt
    private let mayWait: Bool
    private var events = Events()

    // MARK: 1

    /// Lock of all domains. Begins with roots that have a next value, or end. The caller owns the gates, and leaves those that it has
    /// entered by itself.
    ///
    /// - Parameter leaves: Whether the turn leaves the gate of the root.
    @inline(__always)
    init(_ root: PropertyNode, _ thread: UInt, leaves: Bool, mayWait: Bool) {
        let reference = Unmanaged.passUnretained(root)
        (first, last, done, lastRoot) = (reference, reference, reference, reference)
        (self.thread, self.mayWait) = (thread, mayWait)
        hasEnds = root.staged.isEnding
        let domain = root.domain
        let held = Unmanaged.passUnretained(domain)
        (firstHeld, lastHeld) = (held, held)
        domain.turn = reference
        domain.nextHeld = nil
        domain.isLeftByTurn = leaves
        root.staged.isQueued = true
        root.staged.successor = nil
        enqueueDependents(of: root)
    }

    /// Lock of all domains. One more root, whose domain comes after those of the others.
    mutating func add(_ root: PropertyNode) {
        root.staged.isQueued = true
        let reference = Unmanaged.passUnretained(root)
        root.staged.successor = done._withUnsafeGuaranteedRef { $0.staged.successor }
        done._withUnsafeGuaranteedRef { $0.staged.successor = reference }
        if last.toOpaque() == done.toOpaque() { last = reference }
        (done, lastRoot) = (reference, reference)
        if root.staged.isEnding { hasEnds = true }
        hold(root.domain, leaves: false)
        enqueueDependents(of: root)
    }

    /// Lock.
    @inline(__always)
    private mutating func hold(_ domain: Domain, leaves: Bool) {
        domain.turn = first
        domain.nextHeld = nil
        domain.isLeftByTurn = leaves
        let held = Unmanaged.passUnretained(domain)
        // Newcomers may come out of order.
        guard lastHeld._withUnsafeGuaranteedRef({ $0 < domain }) else { return insertHeld(held) }
        lastHeld._withUnsafeGuaranteedRef { $0.nextHeld = held }
        lastHeld = held
    }

    /// In the order of locks.
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

    /// Lock. Has those computed that are linked to a node.
    @inline(__always)
    private mutating func enqueueDependents(of node: PropertyNode) {
        for position in 0..<node.links.dependents.count {
            let dependent = node.links.dependents[position].node
            dependent._withUnsafeGuaranteedRef { object in
                if object.domain === node.domain { enqueue(dependent) } else { foreign.add(dependent) }
            }
        }
    }

    /// Has a node of a domain that has been entered computed, once: after those that are not higher.
    @inline(__always)
    private mutating func enqueue(_ new: Unmanaged<PropertyNode>) {
        new._withUnsafeGuaranteedRef { object in
            if object.staged.isQueued || object.links.hasEnded { return }
            object.staged.isQueued = true
            object.staged.successor = nil
            let isHighest = last._withUnsafeGuaranteedRef { last -> Bool in
                if last.height > object.height, self.last.toOpaque() != done.toOpaque() { return false }
                last.staged.successor = new
                return true
            }
            if isHighest { last = new } else { insert(new, object) }
        }
    }

    /// As ``enqueue(_:)``, for one that is not the highest.
    @inline(never)
    private mutating func insert(_ new: Unmanaged<PropertyNode>, _ object: PropertyNode) {
        var before = done
        while let next = before._withUnsafeGuaranteedRef({ $0.staged.successor }),
            next._withUnsafeGuaranteedRef({ $0.height }) <= object.height
        { before = next }
        object.staged.successor = before._withUnsafeGuaranteedRef { $0.staged.successor }
        before._withUnsafeGuaranteedRef { $0.staged.successor = new }
    }

    /// As the owner of their gates, who leaves them: takes a turn that begins with several roots. Returns the gate that was refused, or the
    /// events.
    ///
    /// - Parameter keepsNext: See ``PropertyNode/giveWay(to:keepsNext:)``.
    static func take(
        _ roots: [PropertyNode], _ thread: UInt, mayWait: Bool, keepsNext: Bool
    ) -> (refused: Gate?, events: Events) {
        let roots = roots.sorted { $0.domain < $1.domain }
        guard let first = roots.first else { return (nil, Events()) }
        while true {
            for root in roots { root.domain.lock.lock() }
            var turn = Turn(first, thread, leaves: false, mayWait: mayWait)
            for root in roots.dropFirst() { turn.add(root) }
            for root in roots { root.domain.lock.unlock() }
            guard let gate = turn.take() else { return (nil, turn.takeEvents()) }
            if turn.hasTakenInNewcomers { continue }
            for root in roots { _ = root.giveWay(to: gate, keepsNext: keepsNext) }
            return (gate, Events())
        }
    }

    // MARK: 2

    /// Takes the turn: computes, publishes, leaves. Returns the gate that was refused, if one was.
    ///
    /// If newcomers have been taken in, they have come out of order. They are none the next time, which is to be now.
    @inline(__always)
    mutating func take() -> Gate? {
        repeat {
            while true {
                let own = done._withUnsafeGuaranteedRef { $0.staged.successor }
                if let other = foreign.lowest, own.map({ Self.isBelow(other, $0) }) ?? true {
                    if let gate = enter(other) {
                        giveUp()
                        return gate
                    }
                    continue
                }
                guard let own else { break }
                let hasToWait = own._withUnsafeGuaranteedRef { $0.links.isPending && isPending($0) }
                if hasToWait { skip(own) } else { own._withUnsafeGuaranteedRef { compute($0) } }
            }
        } while !publish()
        return nil
    }

    consuming func takeEvents() -> Events { events }

    /// Whether a node has to wait until newcomers are taken in, as it follows from one of them.
    @inline(never)
    private func isPending(_ node: PropertyNode) -> Bool {
        node.domain.withLock {
            node.links.newcomerTo.removeAll { $0.isClosed }
            node.links.isPending = !node.links.newcomerTo.isEmpty
            return node.links.newcomerTo.contains { $0.isOwnedByCaller }
        }
    }

    /// Takes a node out of the queue that comes next.
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
            // It has an input that has changed, or else it would not be here.
            node.staged.hasNext = node.compute(node, nil)
            if node.staged.isEnding { hasEnds = true }
        }
        guard node.staged.hasNext || node.staged.isEnding, node.dependentCount.load() != 0 else { return }
        // As `withLock`, but for a closure, which would retain the objects.
        node.domain.lock.lock()
        enqueueDependents(of: node)
        node.domain.lock.unlock()
    }

    @inline(never)
    private func computeOrEnd(_ node: PropertyNode) {
        node.staged.isEnding = node.endsNow()
        let isDue = node.inputs.contains { input in
            input.isStaged(for: node) && (input.staged.hasNext || node.isEndingComputed && input.staged.isEnding)
        }
        if isDue { node.staged.hasNext = node.compute(node, nil) }
    }

    @inline(__always)
    private static func isBelow(_ left: Unmanaged<PropertyNode>, _ right: Unmanaged<PropertyNode>) -> Bool {
        left._withUnsafeGuaranteedRef { left in right._withUnsafeGuaranteedRef { left.height <= $0.height } }
    }

    /// Enters the domain of the lowest of the foreign nodes. Returns the gate if that was refused.
    @inline(__always)
    private mutating func enter(_ reference: Unmanaged<PropertyNode>) -> Gate? {
        reference._withUnsafeGuaranteedRef { node -> Gate? in
            let domain = node.domain
            // Who waits does so in the order of domains, or it would be in the way of those who do.
            let isInOrder = !hasTakenInNewcomers || lastHeld._withUnsafeGuaranteedRef { $0 < domain }
            // What others have pushed is performed on the way out: it may call observers, and this is the middle of a turn.
            let isEntered =
                mayWait && isInOrder ? domain.gate.enterToObserve(thread) : domain.gate.enterPassively(thread)
            if !isEntered, !domain.gate.isOwnedByCaller { return domain.gate }
            domain.lock.lock()
            if let turn = domain.turn {
                domain.lock.unlock()
                if turn.toOpaque() != first.toOpaque() {
                    // Another turn of this thread. This one waits, or has begun in a closure of that.
                    if !mayWait { return domain.gate }
                    Domain.refuseSet()
                }
                // For another node, or for another input of this one.
                enqueue(reference)
            } else {
                hold(domain, leaves: isEntered)
                domain.lock.unlock()
                enqueue(reference)
            }
            foreign.removeLowest()
            return nil
        }
    }

    /// Gives up all but what the turn began with, and leaves all domains but those of that.
    @inline(never)
    private mutating func giveUp() {
        while foreign.lowest != nil { foreign.removeLowest() }
        var next = lastRoot._withUnsafeGuaranteedRef { $0.staged.successor }
        while let reference = next {
            reference._withUnsafeGuaranteedRef { node in
                next = node.staged.successor
                node.discardNext()
            }
        }
        lockAll()
        var held: Unmanaged<Domain>? = firstHeld
        while let domain = held {
            domain._withUnsafeGuaranteedRef { domain in
                held = domain.nextHeld
                if domain.state.isCrowded { tidy(domain) }
                if !isOfRoot(domain) { leave(domain) }
                domain.lock.unlock()
            }
        }
        // What others have pushed there is left to others: the turn that the caller has begun is still in progress.
        events.leaveBusy(thread, passively: true)
        events.finish(thread, mayWait: false)
    }

    /// Whether the turn began there.
    private func isOfRoot(_ domain: Domain) -> Bool {
        var node = first
        while true {
            if node._withUnsafeGuaranteedRef({ $0.domain === domain }) { return true }
            guard node.toOpaque() != lastRoot.toOpaque(),
                let next = node._withUnsafeGuaranteedRef({ $0.staged.successor })
            else { return false }
            node = next
        }
    }

    // MARK: 3

    @inline(__always)
    private func lockAll() {
        var next: Unmanaged<Domain>? = firstHeld
        while let domain = next {
            domain._withUnsafeGuaranteedRef {
                next = $0.nextHeld
                $0.lock.lock()
            }
        }
    }

    /// Publishes all in one go, unless newcomers have to be computed first.
    @inline(__always)
    private mutating func publish() -> Bool {
        var isCrowded = false
        var held: Unmanaged<Domain>? = firstHeld
        while let domain = held {
            domain._withUnsafeGuaranteedRef {
                held = $0.nextHeld
                $0.lock.lock()
                if $0.state.isCrowded { isCrowded = true }
            }
        }
        if isCrowded, takeInNewcomers() {
            hasTakenInNewcomers = true
            unlockAll()
            return false
        }
        var next: Unmanaged<PropertyNode>? = first
        while let reference = next {
            reference._withUnsafeGuaranteedRef { node in
                next = node.staged.successor
                node.staged.isQueued = false
                if node.isKept { node.memory?.isStaged = false }
                if node.staged.hasNext || node.staged.isEnding { events.publish(node, thread) }
                if hasEnds, node.staged.isEnding { end(node) }
            }
        }
        unlockAndLeave()
        return true
    }

    /// Locks.
    @inline(never)
    private mutating func end(_ node: PropertyNode) {
        node.staged.isEnding = false
        node.links.hasEnded = true
        events.noteRest { rest in
            node.letGoOfDependents(&rest.garbage)
            // Its inputs forget it later: their locks may not be held, and other turns may be about to come upon it.
            rest.unwanted.append(node)
        }
    }

    @inline(never)
    private func unlockAll() {
        var next: Unmanaged<Domain>? = firstHeld
        while let domain = next {
            domain._withUnsafeGuaranteedRef {
                next = $0.nextHeld
                $0.lock.unlock()
            }
        }
    }

    @inline(__always)
    private mutating func unlockAndLeave() {
        var next: Unmanaged<Domain>? = firstHeld
        while let held = next {
            held._withUnsafeGuaranteedRef { domain in
                next = domain.nextHeld
                if domain.state.isCrowded { tidy(domain) }
                leave(domain)
                domain.lock.unlock()
            }
        }
        events.leaveBusy(thread)
    }

    /// Lock. Before that is unlocked: from then on the domain may go.
    @inline(__always)
    private mutating func leave(_ domain: Domain) {
        domain.turn = nil
        if domain.isLeftByTurn, !domain.gate.leaveIfIdle(thread) { events.noteRest { $0.busy.append(domain) } }
    }

    /// Lock.
    @inline(never)
    private mutating func tidy(_ domain: Domain) {
        domain.state.isCrowded = false
        events.noteRest { rest in
            // Of a turn that has given up.
            if let newcomers = domain.state.newcomers.take() { rest.unwanted += newcomers.close() }
            rest.unwanted += domain.state.unwanted
            domain.state.unwanted = []
        }
    }

    /// Locks. Has those computed that were linked since the turn began, and whose inputs have changed. Returns whether there are any.
    @inline(never)
    private mutating func takeInNewcomers() -> Bool {
        var isAny = false
        var next: Unmanaged<Domain>? = firstHeld
        while let held = next {
            held._withUnsafeGuaranteedRef { domain in
                next = domain.nextHeld
                guard let newcomers = domain.state.newcomers.take() else { return }
                let nodes = newcomers.close()
                for node in nodes {
                    let isDue = node.inputs.contains { input in
                        let domain = input.domain
                        let isHeld = domain.gate.isOwnedByCaller && domain.turn?.toOpaque() == first.toOpaque()
                        return isHeld && (input.staged.hasNext || input.staged.isEnding)
                    }
                    guard isDue else { continue }
                    foreign.add(.passUnretained(node))
                    isAny = true
                }
                // Held until the events have been sent.
                domain.state.unwanted += nodes
            }
        }
        return isAny
    }
}

/// Nodes that a turn has yet to compute, and whose domains it has yet to enter. Mostly there is none, or one.
struct ForeignNodes {
    private final class Several {
        /// The lowest last.
        var nodes: [Unmanaged<PropertyNode>] = []
        var isSorted = true
    }

    private var only: Unmanaged<PropertyNode>?
    private var several: Unmanaged<Several>?

    @inline(__always)
    mutating func add(_ node: Unmanaged<PropertyNode>) {
        if only == nil, several == nil { only = node } else { addToSeveral(node) }
    }

    @inline(never)
    private mutating func addToSeveral(_ node: Unmanaged<PropertyNode>) {
        let several = self.several ?? .passRetained(Several())
        self.several = several
        several._withUnsafeGuaranteedRef { several in
            if let only { several.nodes.append(only) }
            several.nodes.append(node)
            several.isSorted = false
        }
        only = nil
    }

    @inline(__always)
    var lowest: Unmanaged<PropertyNode>? { several == nil ? only : lowestOfSeveral }

    @inline(never)
    private var lowestOfSeveral: Unmanaged<PropertyNode>? {
        several?._withUnsafeGuaranteedRef { several in
            if !several.isSorted {
                several.nodes.sort { first, second in
                    second._withUnsafeGuaranteedRef { second in
                        first._withUnsafeGuaranteedRef { second.comesBefore($0) }
                    }
                }
                several.isSorted = true
            }
            return several.nodes.last
        }
    }

    @inline(__always)
    mutating func removeLowest() { if several == nil { only = nil } else { removeLowestOfSeveral() } }

    @inline(never)
    private mutating func removeLowestOfSeveral() {
        let isEmpty = several?._withUnsafeGuaranteedRef { several in
            several.nodes.removeLast()
            return several.nodes.isEmpty
        }
        if isEmpty == true {
            several?.release()
            several = nil
        }
    }
}

extension PropertyNode {
    /// Lock, which is left. Takes the turn that has been staged. Returns the gate that was refused, if one was; then what was staged has
    /// been set ahead.
    @usableFromInline
    final func takeTurn(_ thread: UInt, leaves: Bool, mayWait: Bool) -> Gate? {
        let (refused, isNew, events) = takeTurnToEvents(thread, leaves: leaves, mayWait: mayWait)
        guard let refused else {
            events.deliver(thread, mayWait: mayWait)
            return nil
        }
        if leaves { domain.gate.leave(thread) }
        // Not where this is the turn of what was ahead before: that stays so, and the caller sees to it.
        if isNew { refused.settle() }
        return refused
    }

    /// The same, but for what follows when nothing is owned any more: sending the events, and settling the gate that was refused.
    @inline(__always)
    final func takeTurnToEvents(
        _ thread: UInt, leaves: Bool, mayWait: Bool
    ) -> (refused: Gate?, isNew: Bool, events: Events) {
        while true {
            var turn = Turn(self, thread, leaves: leaves, mayWait: mayWait)
            domain.lock.unlock()
            guard let gate = turn.take() else { return (nil, false, turn.takeEvents()) }
            if turn.hasTakenInNewcomers {
                domain.lock.lock()
            } else {
                return (gate, giveWay(to: gate, keepsNext: true), Events())
            }
        }
    }

    /// In the order in which turns enter domains, and then of heights.
    fileprivate func comesBefore(_ other: PropertyNode) -> Bool {
        height == other.height ? domain < other.domain : height < other.height
    }
}

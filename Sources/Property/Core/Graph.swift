public import HotSignals

/// Properties that are connected: derived from one another, or from something that is.
///
/// Its gate lets one *turn* compute at a time (``Turn``). Its lock guards what readers see: the values, and who is derived from
/// whom.
///
/// # Joining
/// A property that is derived from two graphs makes one of them: the smaller gets the larger as its successor, for good. Nobody
/// waits for that. A turn that is computing in the smaller at that moment finishes; the next turn of the larger waits for it,
/// as at any gate.
@usableFromInline
@_fixed_layout
package final class Graph: @unchecked Sendable {
    // Sendable: the lock guards the state, and the gate the turn.

    @usableFromInline let gate = Gate(contention: .wait)
    @usableFromInline let lock = WordLock()
    private let rank = LockRank()
    /// The graph that took this one in.
    @exclusivity(unchecked) @usableFromInline var successor: Graph?
    /// How many properties there are.
    @exclusivity(unchecked) @usableFromInline var size = 1
    /// How many turns are computing: one at most, but for graphs that were joined meanwhile.
    @exclusivity(unchecked) @usableFromInline var computing = 0
    /// Graphs that this one has taken in, and that may be computing yet.
    @exclusivity(unchecked) @usableFromInline var joined: [Graph] = []
    /// Properties that were derived while a turn was computing: it does not know of them.
    @exclusivity(unchecked) var newcomers: [PropertyNode] = []
    /// Properties that have to be computed by a turn of their own.
    @exclusivity(unchecked) var stale: [PropertyNode] = []
    /// What was unlinked while a turn was computing, which may be about to compute it. Let go of after that.
    @exclusivity(unchecked) var debris: [Unmanaged<PropertyNode>] = []

    /// Whether there is a successor, or anything in the lists above, so that a turn has more to do than usual.
    @exclusivity(unchecked) @usableFromInline var isSpecial = false

    /// The turn in progress. For the owner of the gate.
    @exclusivity(unchecked) @usableFromInline var turn = Turn()
    @usableFromInline let turnOwner = Owner(of: "the turn of a graph")
    /// Whether it is computing, so that what it calls is a closure of a property. For the owner of the gate.
    @exclusivity(unchecked) @usableFromInline var isInTurn = false

    /// How many bodies of `modify` and `withValue` the owner runs. For the owner of the gate.
    @exclusivity(unchecked) @usableFromInline var bodies = 0

    @usableFromInline
    init() {}

    // MARK: Locking

    /// Runs `body` with the lock of this very graph.
    @inlinable @inline(__always)
    func withOwnLock<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// Runs `body` with the lock of the graph that this one is part of by now.
    @inlinable @inline(__always)
    func withLock<Result>(_ body: (Graph) -> Result) -> Result {
        lock.lock()
        if successor == nil {
            defer { lock.unlock() }
            return body(self)
        }
        lock.unlock()
        return withLockOfSuccessor(body)
    }

    @inlinable @inline(never)
    func withLockOfSuccessor<Result>(_ body: (Graph) -> Result) -> Result {
        var graph = self
        while true {
            graph.lock.lock()
            guard let successor = graph.successor else {
                defer { graph.lock.unlock() }
                return body(graph)
            }
            graph.lock.unlock()
            graph = successor
        }
    }

    /// The graph that this one is part of by now.
    var present: Graph { withLock { $0 } }

    /// Lock. Looks again whether there is more to do than usual.
    func reconsider() {
        isSpecial = successor != nil || !joined.isEmpty || !newcomers.isEmpty || !stale.isEmpty || !debris.isEmpty
    }

    /// Lock. Whether a turn may begin that finds things so.
    @inlinable @inline(__always)
    var isReady: Bool { !isSpecial || successor == nil && joined.isEmpty }

    // MARK: Joining

    /// Makes one graph of two.
    @usableFromInline
    static func join(_ first: Graph, _ second: Graph) {
        while true {
            let (first, second) = (first.present, second.present)
            if first === second { return }
            // Every thread takes two of these locks in the same order.
            let isInOrder = LockRank.areInOrder(first, second, \.rank)
            let (lower, upper) = isInOrder ? (first, second) : (second, first)
            let isDone = lower.withOwnLock {
                upper.withOwnLock {
                    guard lower.successor == nil, upper.successor == nil else { return false }
                    if lower.size >= upper.size { lower.takeIn(upper) } else { upper.takeIn(lower) }
                    return true
                }
            }
            if isDone { return }
        }
    }

    /// Both locks.
    private func takeIn(_ other: Graph) {
        other.successor = self
        joined.append(other)
        joined += other.joined
        other.joined = []
        size += other.size
        computing += other.computing
        newcomers += other.newcomers
        other.newcomers = []
        stale += other.stale
        other.stale = []
        debris += other.debris
        other.debris = []
        isSpecial = true
        other.isSpecial = true
    }

    // MARK: Entering

    /// How an attempt to enter went.
    @frozen @usableFromInline
    enum Entry {
        /// The caller owns the graph, and nothing is computing in it. Afterwards it leaves.
        case entered(Graph)
        /// The same, but the caller was in there before.
        case inside(Graph)
        /// The caller is computing in the graph, or waiting for it would close a cycle, or it must not wait. What is to be done
        /// can be added to the gate.
        case busy(Gate)
    }

    /// Enters the graph that this one is part of. Once that is done, turns of graphs that it has taken in are over, too.
    @usableFromInline
    func enter(_ thread: UInt, mayWait: Bool) -> Entry {
        while true {
            let graph = present
            let isInside = graph.gate.isOwnedByCaller
            if isInside ? graph.isInTurn : !graph.gate.enter(thread, mayWait: mayWait) { return .busy(graph.gate) }
            let busy = graph.finishJoining(thread, mayWait: mayWait)
            if busy == nil, graph.withOwnLock({ graph.isReady }) { return isInside ? .inside(graph) : .entered(graph) }
            if !isInside { graph.gate.leave(thread) }
            if let busy { return .busy(busy.gate) }
        }
    }

    /// As the owner: makes sure that nothing is computing in the graphs that were taken in. Returns one in which there is.
    private func finishJoining(_ thread: UInt, mayWait: Bool) -> Graph? {
        while let joined = withOwnLock({ successor == nil ? joined.last : nil }) {
            if !joined.gate.isOwnedByCaller {
                guard joined.gate.enter(thread, mayWait: mayWait) else { return joined }
                joined.gate.leave(thread)
            } else if joined.isInTurn || joined.bodies > 0 {
                return joined
            }
            withLock { graph in
                graph.joined.removeAll { $0 === joined }
                graph.reconsider()
            }
        }
        return nil
    }
}

extension Gate {
    fileprivate func enter(_ thread: UInt, mayWait: Bool) -> Bool {
        mayWait ? enter(thread) : enterIfFree(thread)
    }

    /// Returns when what was added has been performed, unless waiting for that would close a cycle, or the gate is one for
    /// which nobody waits.
    @usableFromInline
    func waitForTurn(_ thread: UInt) {
        settle()
        if enter(thread) { leave(thread) }
    }
}

import HotSignals

/// A part of a graph of properties in which one change at a time is computed.
///
/// A root heads a domain, and so does a node whose inputs lie in different domains. A node whose inputs all lie in one domain belongs to
/// that. This is fixed when the node is made, so domains never merge: a property that many are combined with shares nothing with them but
/// its own changes.
///
/// Whoever changes a value owns the gates of its domain and of the domains of everything that is derived from it. So a value that an owner
/// reads does not change meanwhile, wherever it lies.
///
/// # Order
/// Threads take several gates, and several locks, in the order of the heights of the nodes that head the domains, and then of their ranks.
@usableFromInline
@_fixed_layout
package final class Domain: @unchecked Sendable {
    // Sendable: the lock guards `state`, and the gate what is the owner's.

    /// What the lock guards, apart from the nodes.
    @frozen @usableFromInline
    struct State {
        /// Whether the owner of the gate relies on the value, though there is no turn.
        var isHeld = false
        /// Whether the owner of the gate runs the body of a `modify` or `withValue`.
        @usableFromInline var isInBody = false
        /// Whether there is something below.
        @usableFromInline var isCrowded = false
        /// What was linked to a node of this domain during the turn.
        @usableFromInline var newcomers: Newcomers?
        /// Nodes that nobody wanted any more during the turn. They are unlinked after it.
        @usableFromInline var unwanted: [PropertyNode] = []

        @inlinable
        init() {}
    }

    @usableFromInline let gate = Gate(contention: .wait)
    @usableFromInline let lock = WordLock()
    /// Lock.
    @exclusivity(unchecked) @usableFromInline var state = State()
    /// The first root of the turn that computes here. Written by the owner of the gate under the lock; either is enough to read it.
    @exclusivity(unchecked) @usableFromInline var turn: Unmanaged<PropertyNode>?
    /// That of the node that heads it.
    @usableFromInline let height: Int
    private let rank = LockRank()

    /// Owner. The next one that the turn has entered.
    @exclusivity(unchecked) var nextHeld: Unmanaged<Domain>?
    /// Owner. Whether the turn leaves the gate.
    @exclusivity(unchecked) var isLeftByTurn = false

    init(height: Int) { self.height = height }

    static func < (first: Domain, second: Domain) -> Bool {
        first.height == second.height
            ? LockRank.areInOrder(first, second, \.rank) && first !== second : first.height < second.height
    }

    // MARK: Locks

    @inlinable @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    static func withLocks<Result>(_ domains: [Domain], _ body: () -> Result) -> Result {
        let domains = inOrder(domains)
        for domain in domains { domain.lock.lock() }
        defer { for domain in domains { domain.lock.unlock() } }
        return body()
    }

    /// Each once, in the order of locks and gates.
    static func inOrder(_ domains: [Domain]) -> [Domain] {
        var different: [Domain] = []
        for domain in domains where !different.contains(where: { $0 === domain }) { different.append(domain) }
        return different.sorted(by: <)
    }

    /// Lock, during a turn. What the turn has to take in.
    func expectNewcomers() -> Newcomers {
        if let newcomers = state.newcomers { return newcomers }
        let new = Newcomers(self)
        state.newcomers = new
        state.isCrowded = true
        return new
    }

    // MARK: Gates

    /// How an attempt to enter went.
    @frozen @usableFromInline
    enum Entry {
        /// The caller leaves the gate afterwards.
        case entered
        /// The caller was inside before, and not in a turn.
        case inside
        /// Waiting would close a cycle, or is not allowed. What is to be done can be pushed to the gate.
        case refused(Gate)
    }

    /// - Parameter toModify: Whether the caller waits even in a passive section, as nobody else must change the value meanwhile.
    @usableFromInline
    func enter(_ thread: UInt, mayWait: Bool, toModify: Bool = false) -> Entry {
        let isEntered =
            toModify ? gate.enterToRead(thread) : mayWait ? gate.enter(thread) : gate.enterIfFree(thread)
        if isEntered { return .entered }
        guard gate.isOwnedByCaller else { return .refused(gate) }
        guard withLock({ turn != nil }) else { return .inside }
        // In the middle of a turn of this thread: in a closure, or where that has entered a gate and does what others have left there.
        if mayWait { Self.refuseSet() }
        return .refused(gate)
    }

    static func refuseSet() -> Never {
        fatalError("a property was set in a closure that computes a property, and the change concerns that property")
    }
}

/// Nodes that were linked while a turn was computing what they are linked to, and nodes that follow from them.
///
/// They have seen the former values, and the turn may have passed the place where it would have come upon them. So it computes them when
/// all others have been computed, before it publishes.
@usableFromInline
final class Newcomers: @unchecked Sendable {
    // Sendable: the lock guards the variable.
    private let lock = WordLock()
    private unowned let domain: Domain
    /// Nil when the turn has taken them in.
    @exclusivity(unchecked) private var nodes: [PropertyNode]? = []

    init(_ domain: Domain) { self.domain = domain }

    var isClosed: Bool {
        lock.lock()
        defer { lock.unlock() }
        return nodes == nil
    }

    /// Whether the turn that takes them in is the caller's.
    var isOwnedByCaller: Bool { domain.gate.isOwnedByCaller }

    /// False if the turn has taken them in already.
    func add(_ node: PropertyNode) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        nodes?.append(node)
        return nodes != nil
    }

    func close() -> [PropertyNode] {
        lock.lock()
        defer { lock.unlock() }
        return nodes.take() ?? []
    }
}

/// Gates that a thread has entered together.
struct Entrance {
    private var entered: [Domain] = []

    /// Enters the gates of domains, all or none. Returns the gate that was refused, if one was.
    mutating func enter(_ domains: [Domain], _ thread: UInt, mayWait: Bool) -> Gate? {
        for domain in Domain.inOrder(domains) {
            switch domain.enter(thread, mayWait: mayWait) {
            case .entered: entered.append(domain)
            case .inside: break
            case .refused(let gate):
                leave(thread)
                return gate
            }
        }
        return nil
    }

    mutating func leave(_ thread: UInt) {
        for domain in entered.reversed() { domain.gate.leave(thread) }
        entered = []
    }
}

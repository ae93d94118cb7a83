import HotSignals

/// A part of a property graph in which one change at a time is computed.
///
/// A root heads a domain, and so does a node whose inputs lie in different domains. A node whose inputs all lie in one
/// domain belongs to that domain. The domain is fixed when the node is made, so domains never merge: a property that
/// many others are combined with shares nothing with them except its own changes.
///
/// A thread that changes a value owns the gates of the value's domain and of the domains of everything derived from it.
/// So a value that an owner reads does not change in the meantime, wherever it lies.
///
/// # Order
/// Threads acquire several gates, and several locks, in the order of the heights of the nodes that head the domains,
/// and then of the domains' ranks.
@usableFromInline
@_fixed_layout
package final class Domain: DomainGate, @unchecked Sendable {
    // Sendable: the lock guards `state`, and the gate guards what is only for its owner.

    /// What the lock guards, apart from the nodes.
    @frozen @usableFromInline
    struct State {
        /// Whether the owner of the gate relies on the value without a propagation in progress.
        @usableFromInline var isHeld = false
        /// Whether the owner of the gate runs the body of a `modify` or `withValue`.
        @usableFromInline var isInBody = false
        /// Whether `newcomers` or `unwanted` contains anything, or `refusesNewcomers` is set.
        @usableFromInline var isCrowded = false
        /// Whether the propagation takes in no more newcomers, because it has taken in many.
        var refusesNewcomers = false
        /// What was linked to a node of this domain during the propagation.
        @usableFromInline var newcomers: Newcomers?
        /// Nodes to unlink after the propagation, if nothing needs them then.
        @usableFromInline var unwanted: [PropertyNode] = []

        @inlinable
        init() {}
    }

    @usableFromInline let lock = WordLock()
    /// Guarded by the lock.
    @exclusivity(unchecked) @usableFromInline var state = State()
    /// The first root of the propagation that computes here. Written by the owner of the gate under the lock. Either
    /// one suffices to read it.
    @exclusivity(unchecked) @usableFromInline var propagation: Unmanaged<PropertyNode>?
    /// The height of the node that heads the domain.
    @usableFromInline let height: Int
    @usableFromInline let rank = LockRank()
    @usableFromInline let sections = SectionTable.shared

    /// Only for the owner of the gate. The next domain that the propagation has entered.
    @exclusivity(unchecked) var nextHeld: Unmanaged<Domain>?
    /// Only for the owner of the gate. Whether the propagation leaves the gate.
    @exclusivity(unchecked) var isLeftByPropagation = false

    init(height: Int) {
        self.height = height
        super.init()
    }

    @_alwaysEmitIntoClient @inline(__always)
    var gate: DomainGate { self }

    @_alwaysEmitIntoClient @inline(__always)
    static func < (first: Domain, second: Domain) -> Bool {
        first.height == second.height
            ? LockRank.areInOrder(first, second, \.rank) && first !== second : first.height < second.height
    }

    // MARK: Locks

    @_alwaysEmitIntoClient @inline(__always)
    func acquire() -> HeldLock {
        lock.lock()
        return HeldLock()
    }

    @_alwaysEmitIntoClient @inline(__always)
    func release(_ held: consuming HeldLock) { lock.unlock() }

    @_alwaysEmitIntoClient @inline(__always)
    func release<Result>(_ held: consuming HeldLock, returning result: Result) -> Result {
        lock.unlock(returning: result)
    }

    @_alwaysEmitIntoClient @inline(__always)
    func withLock<Result>(_ body: (borrowing HeldLock) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(HeldLock())
    }

    /// The same for a body that calls nothing that requires the lock.
    @_alwaysEmitIntoClient @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// Acquires the locks of two different domains.
    @_alwaysEmitIntoClient @inline(__always)
    static func acquire(_ one: Domain, _ other: Domain) -> HeldLock {
        let isFirst = one < other
        (isFirst ? one : other).lock.lock()
        (isFirst ? other : one).lock.lock()
        return HeldLock()
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func release(_ held: consuming HeldLock, of one: Domain, _ other: Domain) {
        one.lock.unlock()
        other.lock.unlock()
    }

    static func acquire(inOrder domains: some Sequence<Domain>) -> HeldLock {
        for domain in domains { domain.lock.lock() }
        return HeldLock()
    }

    static func release(_ held: consuming HeldLock, of domains: some Sequence<Domain>) {
        for domain in domains { domain.lock.unlock() }
    }

    static func withLocks<Result>(_ domains: [Domain], _ body: (borrowing HeldLock) -> Result) -> Result {
        let domains = inOrder(domains)
        let held = acquire(inOrder: domains)
        let result = body(held)
        release(held, of: domains)
        return result
    }

    /// Returns the domains without duplicates, in the order in which locks and gates are acquired.
    static func inOrder(_ domains: [Domain]) -> [Domain] {
        if domains.indices.dropFirst().allSatisfy({ domains[$0 - 1] < domains[$0] }) { return domains }
        if domains.count == 2, domains[0] !== domains[1] { return [domains[1], domains[0]] }
        var different = domains.sorted(by: <)
        var last: Domain?
        different.removeAll { domain in
            defer { last = domain }
            return domain === last
        }
        return different
    }

    /// Only during a propagation. Returns the newcomers that the propagation takes in.
    func expectNewcomers(_ held: borrowing HeldLock) -> Newcomers {
        if let newcomers = state.newcomers { return newcomers }
        let new = Newcomers(self)
        state.newcomers = new
        state.isCrowded = true
        return new
    }

    /// Whether a propagation of another thread computes here, and takes in no more newcomers.
    func refusesNewcomers(_ held: borrowing HeldLock) -> Bool {
        // In a section the caller must not wait: the propagation may be waiting for it.
        state.refusesNewcomers && propagation != nil && !PureSection.isCurrent
    }
}
/// Nodes that were linked while a propagation was computing what they are linked to, and nodes derived from those.
///
/// They have seen the previous values, and the propagation may already have passed the place where it would have
/// reached them. So the propagation computes them after all others, before it publishes.
@usableFromInline
final class Newcomers: @unchecked Sendable {
    // Sendable: the lock guards the variable.
    private let lock = WordLock()
    private unowned let domain: Domain
    /// `nil` once the propagation has taken the nodes in.
    @exclusivity(unchecked) private var nodes: [PropertyNode]? = []

    init(_ domain: Domain) { self.domain = domain }

    var isClosed: Bool {
        lock.lock()
        defer { lock.unlock() }
        return nodes == nil
    }

    /// Whether the propagation that takes the nodes in is the caller's.
    var isOwnedByCaller: Bool { domain.gate.isOwnedByCaller }

    /// Adds a node. Returns `false` if the propagation has already taken the nodes in.
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
struct EnteredDomains {
    private var entered: [Domain] = []

    /// Enters the domains of roots that decide on their values. A root that others follow comes before them in the
    /// order, but they may come before other roots, and a propagation that begins with that root needs them. So they
    /// are entered with the others.
    ///
    /// - Parameters:
    ///   - roots: The roots that are set.
    ///   - others: The roots that are not.
    mutating func enter(setting roots: [PropertyNode], owning others: [PropertyNode] = [], _ thread: UInt) {
        let all = others.isEmpty ? roots : roots + others
        guard all.contains(where: { $0.height < 0 }) else { return enter(all.map(\.domain), thread) }
        enter(all.filter { $0.height < 0 }.map(\.domain), thread)
        // They do not change while their leader's domain is owned.
        let followers = roots.filter { $0.height < 0 }.flatMap { leader in
            leader.domain.withLock { leader.links.dependents.map { $0.node.takeUnretainedValue().domain } }
        }
        enter(all.filter { $0.height >= 0 }.map(\.domain) + followers, thread)
    }

    mutating func enter(_ domains: [Domain], _ thread: UInt) {
        let domains = Domain.inOrder(domains)
        for domain in domains { domain.gate.enter(thread) }
        entered = entered.isEmpty ? domains : entered + domains
    }

    /// Enters the gates of all domains, or none. Returns the gate that was taken, if any.
    mutating func enterIfFree(_ domains: [Domain], _ thread: UInt) -> DomainGate? {
        for domain in Domain.inOrder(domains) {
            if domain.gate.enterIfFree(thread) {
                entered.append(domain)
            } else {
                leave(thread)
                return domain.gate
            }
        }
        return nil
    }

    mutating func leave(_ thread: UInt) {
        for domain in entered.reversed() { domain.gate.leave(thread) }
        entered = []
    }
}

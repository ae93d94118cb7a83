package import HotSignals

/// Roots that share one value: setting one sets all of them in the same ``Propagation``. So nothing is mirrored back,
/// and threads that set several of them cannot chase each other's values in circles.
///
/// All connected roots follow one *leader*, a root that is not visible outside. Setting one of them sets the leader,
/// which they are linked to. When a connection ends, the roots that it held together are separated, and a root that is
/// left alone becomes independent again.
extension RootNode {
    /// Gives this root the value of another root, and keeps the two equal from then on. Returns a disposable that ends
    /// the connection.
    package func link(leader other: RootNode) -> any Disposable {
        PureSection.refuseSet(of: self, ThreadIdentity.current)
        if self === other { return AnyDisposable {} }
        let connection = Connection()
        connect(other, connection)
        return AnyDisposable { [weak self, weak other] in
            if connection.end(), let self, let other { self.disconnect(other) }
        }
    }

    /// What disposing of a connection has to undo. The connection may be put off until a gate is free.
    private final class Connection: Sendable {
        private enum State {
            case pending
            case made
            case ended
        }

        private let state = Locked(State.pending)

        var hasEnded: Bool { state.withLock { $0 == .ended } }

        /// Called when the connection has been made. Returns `false` if it has been disposed of in the meantime.
        func establish() -> Bool {
            state.withLock { state in
                if state == .ended { return false }
                state = .made
                return true
            }
        }

        /// Returns whether there is a connection to end.
        func end() -> Bool {
            state.withLock { state in
                defer { state = .ended }
                return state == .made
            }
        }
    }

    /// Makes a connection now, or when a gate is free.
    private func connect(_ other: RootNode, _ connection: Connection) {
        guard !connection.hasEnded, makeConnection(to: other, connection) else { return }
        if !connection.establish() { disconnect(other) }
    }

    /// Returns `false` if the connection is put off.
    private func makeConnection(to other: RootNode, _ connection: Connection) -> Bool {
        let thread = ThreadIdentity.current
        while true {
            let (left, right) = (decider, other.decider)
            left.refuseAccess()
            right.refuseAccess()
            var entered = EnteredDomains()
            var refused = entered.enter([left.domain, right.domain], thread, mayWait: true)
            refused = refused ?? left.catchUp(thread, mayWait: true) ?? right.catchUp(thread, mayWait: true)
            if let refused {
                entered.leave(thread)
                refused.push(DeferredWork { self.connect(other, connection) })
                return false
            }
            guard left === decider, right === other.decider else {
                entered.leave(thread)
                continue
            }
            if left === right {
                Domain.withLocks([domain, other.domain]) { addLink(other, $0) }
                entered.leave(thread)
                return true
            }
            for root in [left, right] { root.hold(true) }
            let value = right.domain.withLock { right.value.unsafelyUnwrapped }
            var delivery: (() -> Void)?
            refused = left.propagate(with: { value }, thread, then: { delivery = $0 })
            let isUnited = refused == nil && unite(left, with: other, right, value)
            for root in [left, right] { root.hold(false) }
            entered.leave(thread)
            delivery?()
            if let refused {
                refused.push(DeferredWork { self.connect(other, connection) })
                return false
            }
            if isUnited { return true }
        }
    }

    /// Requires the gates of both leaders, or of the roots that have none.
    ///
    /// - Parameter held: The locks of both roots.
    private func addLink(_ other: RootNode, _ held: borrowing HeldLock) {
        condition.linkedRoots.append(other)
        other.condition.linkedRoots.append(self)
    }

    /// Requires the gates. Makes two roots that have the same value, and all roots connected to them, follow one
    /// leader. Returns `false`, and changes nothing, if another thread has set a value ahead in the meantime.
    private func unite(_ left: RootNode, with other: RootNode, _ right: RootNode, _ value: Value) -> Bool {
        let move: Move
        switch (left === self, right === other) {
        case (true, true):
            move = Move(roots: [self, other], leader: RootNode(value, name: StreamName("binding"), height: -1))
        case (true, false): move = Move(roots: [self], leader: right)
        case (false, true): move = Move(roots: [other], leader: left)
        case (false, false):
            // The smaller group moves.
            let (large, small) =
                left.links.dependents.count < right.links.dependents.count ? (right, left) : (left, right)
            move = Move(roots: small.followers, leader: large)
        }
        return Self.perform([move]) { addLink(other, $0) }
    }

    private var followers: [RootNode] {
        links.dependents.all.map { unsafeDowncast($0.node.takeUnretainedValue(), to: RootNode.self) }
    }

    /// Roots that leave their leaders for another one, or for none.
    private struct Move {
        let roots: [RootNode]
        let leader: RootNode?
    }

    /// Requires the gates of all leaders, and of the roots that have none. Performs all moves and `change` as one step.
    /// Returns `false`, and changes nothing, if another thread has set a value ahead in the meantime: a root that moves
    /// would miss it.
    private static func perform(_ moves: [Move], and change: (borrowing HeldLock) -> Void = { _ in }) -> Bool {
        let roots = moves.flatMap { $0.roots }
        let leaders =
            moves.compactMap { $0.leader } + roots.compactMap { root in root.domain.withLock { root.condition.leader } }
        var references: [Unmanaged<PropertyNode>] = []
        let isDone = Domain.withLocks((roots + leaders).map { $0.domain }) { held in
            if (roots + leaders).contains(where: { !$0.condition.ahead.isEmpty }) { return false }
            for move in moves {
                for root in move.roots {
                    if let former = root.condition.leader, let reference = root.remove(from: former, 0, held) {
                        references.append(reference)
                    }
                    if let leader = move.leader { root.append(to: leader, 0, held) }
                    root.condition.leader = move.leader
                    root.reconsider(held)
                }
            }
            change(held)
            return true
        }
        for reference in references { reference.release(afterLeaving: nil) }
        return isDone
    }

    // MARK: Separating

    private func disconnect(_ other: RootNode) {
        if PureSection.isCurrent {
            return PureSection.afterwards { [weak self, weak other] in if let self, let other { self.disconnect(other) }
            }
        }
        PassiveSection.run {
            withLeader(again: { [weak self, weak other] in
                if let self, let other { self.disconnect(other) }
            }) { leader, thread in
                guard let leader, self.removeLink(other) else { return }
                leader.part(thread)
            }
        }
    }

    /// Ends all connections of this root, which is about to end.
    func leaveLinkedRoots() {
        withLeader(again: { self.leaveLinkedRoots() }) { leader, thread in
            guard let leader else { return }
            while let linked = condition.linkedRoots.first { _ = removeLink(linked) }
            leader.part(thread)
        }
    }

    /// Runs `body` as the owner of the leader's gate, if there is a leader. If the gate is refused, runs `again` when
    /// it is free.
    private func withLeader(again: @escaping @Sendable () -> Void, _ body: (RootNode?, _ thread: UInt) -> Void) {
        let thread = ThreadIdentity.current
        while let leader = domain.withLock({ condition.leader }) {
            var entered = EnteredDomains()
            var refused = entered.enter([leader.domain], thread, mayWait: false)
            refused = refused ?? leader.catchUp(thread, mayWait: false)
            let isSame = leader === domain.withLock { condition.leader }
            if refused == nil, isSame { body(leader, thread) }
            entered.leave(thread)
            if let refused { return refused.push(DeferredUpkeep(again)) }
            if isSame { return }
        }
        body(nil, thread)
    }

    /// Requires the gate of the leader. Removes one connection, if there is one.
    private func removeLink(_ other: RootNode) -> Bool {
        Domain.withLocks([domain, other.domain]) { _ in
            if !Self.remove(other, from: &condition.linkedRoots) { return false }
            _ = Self.remove(self, from: &other.condition.linkedRoots)
            return true
        }
    }

    /// Puts the last root in the place of the removed one, so that the first one of many is removed quickly.
    private static func remove(_ root: RootNode, from roots: inout [RootNode]) -> Bool {
        guard let index = roots.firstIndex(where: { $0 === root }) else { return false }
        roots.swapAt(index, roots.count - 1)
        roots.removeLast()
        return true
    }

    /// Requires the gate of this leader. Releases the followers that are no longer connected to the others. If a
    /// propagation of a value ahead is refused a gate, does so when that gate is free.
    private func part(_ thread: UInt) {
        while !Self.perform(separation) {
            guard let refused = catchUp(thread, mayWait: false) else { continue }
            return refused.push(DeferredUpkeep { self.partLater() })
        }
    }

    private func partLater() {
        let thread = ThreadIdentity.current
        var entered = EnteredDomains()
        let refused = entered.enter([domain], thread, mayWait: false)
        if refused == nil { part(thread) }
        entered.leave(thread)
        refused?.push(DeferredUpkeep { self.partLater() })
    }

    /// Requires the gate of this leader. The largest group of connected followers keeps the leader.
    private var separation: [Move] {
        var groups: [[RootNode]] = []
        var seen: Set<ObjectIdentifier> = []
        for follower in followers where !seen.contains(ObjectIdentifier(follower)) {
            groups.append(Self.connected(to: follower, &seen))
        }
        groups.sort { $0.count > $1.count }
        return groups.enumerated().compactMap { number, group in
            if group.count == 1 { return Move(roots: group, leader: nil) }
            if number == 0 { return nil }
            let leader = RootNode(value.unsafelyUnwrapped, name: StreamName("binding"), height: -1)
            return Move(roots: group, leader: leader)
        }
    }

    /// - Parameter seen: Contains none of the result. Afterwards it contains all of it.
    private static func connected(to first: RootNode, _ seen: inout Set<ObjectIdentifier>) -> [RootNode] {
        seen.insert(ObjectIdentifier(first))
        var found = [first]
        var position = 0
        while position < found.count {
            let linkedRoots = found[position].domain.withLock { found[position].condition.linkedRoots }
            for linked in linkedRoots where seen.insert(ObjectIdentifier(linked)).inserted { found.append(linked) }
            position += 1
        }
        return found
    }
}

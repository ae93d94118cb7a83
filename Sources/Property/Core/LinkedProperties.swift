package import HotSignals

/// Roots that share one value: setting one sets all of them in the same ``Propagation``. So nothing is mirrored back,
/// and threads that set several of them cannot chase each other's values in circles.
///
/// All connected roots follow one *leader*, a root that is not visible outside. Setting one of them sets the leader,
/// which they are linked to. When a connection ends, the roots that it held together are separated, and a root that is
/// left alone becomes independent again.
extension PropertyNode {
    /// Gives this root the value of another root, and keeps the two equal from then on. Returns a disposable that ends
    /// the connection.
    package func link(leader other: PropertyNode) -> any Disposable {
        PureSection.refuseSet(of: self, ThreadIdentity.current)
        if self === other { return AnyDisposable {} }
        makeCoreIfNeeded()
        other.makeCoreIfNeeded()
        connect(other)
        return AnyDisposable { [weak self, weak other] in
            if let self, let other { self.disconnect(other) }
        }
    }

    private func connect(_ other: PropertyNode) {
        let thread = ThreadIdentity.current
        while true {
            let (left, right) = (decider, other.decider)
            var entered = EnteredDomains()
            entered.enter(setting: left === right ? [] : [left], owning: [right], thread)
            guard left === decider, right === other.decider else {
                entered.leave(thread)
                continue
            }
            if left === right {
                Domain.withLocks([domain, other.domain]) { addLink(other, $0) }
                return entered.leave(thread)
            }
            for root in [left, right] { root.hold(true) }
            let send = left.setToValue(of: right, thread)
            let garbage = unite(left, with: other, right)
            for root in [left, right] { root.hold(false) }
            entered.leave(thread)
            garbage.release()
            return send()
        }
    }

    /// Requires the gates of both leaders, or of the roots that have none.
    ///
    /// - Parameter held: The locks of both roots.
    private func addLink(_ other: PropertyNode, _ held: borrowing HeldLock) {
        linkedRoots.append(other)
        other.linkedRoots.append(self)
    }

    /// Requires the gates. Makes two roots that have the same value, and all roots connected to them, follow one
    /// leader.
    private func unite(_ left: PropertyNode, with other: PropertyNode, _ right: PropertyNode) -> Garbage {
        let move: Move
        switch (left === self, right === other) {
        case (true, true):
            move = Move(roots: [self, other], leader: makeLeader())
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

    private var followers: [PropertyNode] { links.dependents.map { $0.node.takeUnretainedValue() } }

    /// Roots that leave their leaders for another one, or for none.
    private struct Move {
        let roots: [PropertyNode]
        let leader: PropertyNode?
    }

    /// What moves may have dropped. Released when no gate is owned, because the last reference to a root runs the
    /// `deinit` of the user's value.
    private struct Garbage: Sendable {
        var roots: [PropertyNode] = []
        var references: [Unmanaged<PropertyNode>] = []

        func release() { for reference in references { reference.release(owning: nil) } }
    }

    /// Requires the gates of all leaders, and of the roots that have none. Performs all moves and `change` as one step.
    private static func perform(_ moves: [Move], and change: (borrowing HeldLock) -> Void = { _ in }) -> Garbage {
        var roots: [PropertyNode] = []
        for move in moves {
            roots += move.roots
            if let leader = move.leader { roots.append(leader) }
            for root in move.roots { if let leader = root.domain.withLock({ root.leader }) { roots.append(leader) } }
        }
        var references: [Unmanaged<PropertyNode>] = []
        Domain.withLocks(roots.map { $0.domain }) { held in
            for move in moves {
                for root in move.roots {
                    if let former = root.leader, let reference = root.remove(from: former, 0, held) {
                        references.append(reference)
                    }
                    if let leader = move.leader { root.append(to: leader, 0, held) }
                    root.leader = move.leader
                    root.dependentsHaveChanged(held)
                }
            }
            change(held)
        }
        return Garbage(roots: roots, references: references)
    }

    // MARK: Separating

    private func disconnect(_ other: PropertyNode) {
        if PureSection.isCurrent { return PureSection.afterwards { self.disconnect(other) } }
        let thread = ThreadIdentity.current
        while let leader = domain.withLock({ self.leader }) {
            // Before another thread enters: no value that is set from now on may pass.
            let isEntered = leader.domain.gate.enterIfFree(
                thread,
                orLeave: {
                    let garbage = self.disconnect(other, from: leader)
                    return { if let garbage { garbage.release() } else { self.disconnect(other) } }
                })
            if !isEntered { return }
            let garbage = disconnect(other, from: leader)
            leader.domain.gate.leave(thread)
            if let garbage { return garbage.release() }
        }
    }

    /// Requires the gate of `leader`. Ends a connection of this root, or all of them. Returns `nil` if the root no
    /// longer follows that leader.
    private func disconnect(_ other: PropertyNode? = nil, from leader: PropertyNode) -> Garbage? {
        guard leader === domain.withLock({ self.leader }) else { return nil }
        if let other, !removeLink(other) { return Garbage() }
        while other == nil, let linked = linkedRoots.first { _ = removeLink(linked) }
        return Self.perform(leader.separation)
    }

    /// Ends all connections of this root, which is about to end.
    ///
    /// - Parameters:
    ///   - mayWait: Whether to wait for the gate of the leader.
    ///   - again: Called later if that is taken.
    /// - Returns: Whether that has been done.
    func leaveLinkedRoots(_ thread: UInt, mayWait: Bool, otherwise again: @escaping @Sendable () -> Void) -> Bool {
        while let leader = domain.withLock({ self.leader }) {
            let gate = leader.domain.gate
            if mayWait { gate.enter(thread) } else if !gate.enterIfFree(thread, otherwise: again) { return false }
            let garbage = disconnect(from: leader)
            gate.leave(thread)
            garbage?.release()
            if garbage != nil { break }
        }
        return true
    }

    /// Requires the gate of the leader. Removes one connection, if there is one.
    private func removeLink(_ other: PropertyNode) -> Bool {
        Domain.withLocks([domain, other.domain]) { _ in
            if !Self.remove(other, from: &linkedRoots) { return false }
            _ = Self.remove(self, from: &other.linkedRoots)
            return true
        }
    }

    private func isLinked(to other: PropertyNode) -> Bool {
        domain.withLock { linkedRoots.contains { $0 === other } }
    }

    /// Puts the last root in the place of the removed one, so that the first one of many is removed quickly.
    private static func remove(_ root: PropertyNode, from roots: inout [PropertyNode]) -> Bool {
        guard let index = roots.firstIndex(where: { $0 === root }) else { return false }
        roots.swapAt(index, roots.count - 1)
        roots.removeLast()
        return true
    }

    /// Requires the gate of this leader. The largest group of connected followers keeps the leader.
    private var separation: [Move] {
        let followers = followers
        if followers.count == 2 {
            return followers[0].isLinked(to: followers[1]) ? [] : [Move(roots: followers, leader: nil)]
        }
        var groups: [[PropertyNode]] = []
        var seen: Set<ObjectIdentifier> = []
        for follower in followers where !seen.contains(ObjectIdentifier(follower)) {
            groups.append(Self.connected(to: follower, &seen))
        }
        groups.sort { $0.count > $1.count }
        return groups.enumerated().compactMap { number, group in
            if group.count == 1 { return Move(roots: group, leader: nil) }
            if number == 0 { return nil }
            return Move(roots: group, leader: makeLeader())
        }
    }

    /// - Parameter seen: Contains none of the result. Afterwards it contains all of it.
    private static func connected(to first: PropertyNode, _ seen: inout Set<ObjectIdentifier>) -> [PropertyNode] {
        seen.insert(ObjectIdentifier(first))
        var found = [first]
        var position = 0
        while position < found.count {
            let linkedRoots = found[position].domain.withLock { found[position].linkedRoots }
            for linked in linkedRoots where seen.insert(ObjectIdentifier(linked)).inserted { found.append(linked) }
            position += 1
        }
        return found
    }
}

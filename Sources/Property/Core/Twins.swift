package import HotSignals

/// Roots that share one value: setting one sets all of them in the same ``Turn``. So nothing is mirrored back, and
/// threads that set several of them cannot chase each other's values in circles.
///
/// All connected roots follow one *leader*, a root that is not visible outside. Setting one of them sets the leader,
/// which they are linked to. When a connection ends, the roots that it held together are separated, and a root that is
/// left alone becomes independent again.
extension RootNode {
    /// Gives this root the value of another root, and keeps the two equal from then on. Returns a disposable that ends
    /// the connection.
    package func link(leader other: RootNode) -> any Disposable {
        if self === other { return AnyDisposable {} }
        connect(other)
        return AnyDisposable { [weak self, weak other] in
            if let self, let other { self.disconnect(other) }
        }
    }

    private func connect(_ other: RootNode) {
        let thread = ThreadIdentity.current
        while true {
            let (left, right) = (decider, other.decider)
            left.refuseAccess()
            right.refuseAccess()
            var entrance = Entrance()
            var refused = entrance.enter([left.domain, right.domain], thread, mayWait: true)
            refused = refused ?? left.catchUp(thread, mayWait: true) ?? right.catchUp(thread, mayWait: true)
            if let refused {
                entrance.leave(thread)
                return refused.push(DeferredWork { self.connect(other) })
            }
            guard left === decider, right === other.decider else {
                entrance.leave(thread)
                continue
            }
            if left === right {
                addTwin(other)
                return entrance.leave(thread)
            }
            for root in [left, right] { root.hold(true) }
            let value = right.domain.withLock { right.value.unsafelyUnwrapped }
            var delivery: (() -> Void)?
            refused = left.takeTurn(with: value, thread, then: { delivery = $0 })
            if refused == nil {
                addTwin(other)
                Self.unite(self, left, other, right, value)
            }
            for root in [left, right] { root.hold(false) }
            entrance.leave(thread)
            delivery?()
            refused?.push(DeferredWork { self.connect(other) })
            return
        }
    }

    /// Requires the gates of both leaders, or of the roots that have none.
    private func addTwin(_ other: RootNode) {
        Domain.withLocks([domain, other.domain]) {
            condition.twins.append(other)
            other.condition.twins.append(self)
        }
    }

    /// Requires the gates. Makes two roots that have the same value, and all roots connected to them, follow one
    /// leader.
    private static func unite(_ one: RootNode, _ left: RootNode, _ other: RootNode, _ right: RootNode, _ value: Value) {
        switch (left === one, right === other) {
        case (true, true): RootNode(value, name: StreamName("binding"), height: -1).adopt([one, other])
        case (true, false): right.adopt([one])
        case (false, true): left.adopt([other])
        case (false, false):
            // The smaller group moves.
            let (large, small) =
                left.links.dependents.count < right.links.dependents.count ? (right, left) : (left, right)
            large.adopt(small.followers)
        }
    }

    private var followers: [RootNode] {
        links.dependents.map { unsafeDowncast($0.node.takeUnretainedValue(), to: RootNode.self) }
    }

    /// Requires the gates of this root and of the previous leaders of `roots`. Becomes their leader.
    private func adopt(_ roots: [RootNode]) {
        for root in roots { root.follow(self) }
    }

    /// Requires the gates. Leaves the current leader for another one or for none.
    private func follow(_ leader: RootNode?) {
        var reference: Unmanaged<PropertyNode>?
        let former = condition.leader
        Domain.withLocks([domain] + [former, leader].compactMap { $0?.domain }) {
            if let former { reference = remove(from: former, 0) }
            if let leader { append(to: leader, 0) }
            condition.leader = leader
            reconsider()
        }
        reference?.letGo(nil)
    }

    // MARK: Separating

    private func disconnect(_ other: RootNode) {
        PassiveSection.run {
            withLeader(again: { [weak self, weak other] in
                if let self, let other { self.disconnect(other) }
            }) { leader in
                guard let leader, self.removeTwin(other) else { return }
                leader.part()
            }
        }
    }

    /// Ends all connections of this root, which is about to end.
    func leaveTwins() {
        withLeader(again: { self.leaveTwins() }) { leader in
            guard let leader else { return }
            while let twin = condition.twins.first { _ = removeTwin(twin) }
            leader.part()
        }
    }

    /// Runs `body` as the owner of the leader's gate, if there is a leader. If the gate is refused, runs `again` when
    /// it is free.
    private func withLeader(again: @escaping @Sendable () -> Void, _ body: (RootNode?) -> Void) {
        let thread = ThreadIdentity.current
        while let leader = domain.withLock({ condition.leader }) {
            var entrance = Entrance()
            var refused = entrance.enter([leader.domain], thread, mayWait: false)
            refused = refused ?? leader.catchUp(thread, mayWait: false)
            let isSame = leader === domain.withLock { condition.leader }
            if refused == nil, isSame { body(leader) }
            entrance.leave(thread)
            if let refused { return refused.push(DeferredUpkeep(again)) }
            if isSame { return }
        }
        body(nil)
    }

    /// Requires the gate of the leader. Removes one connection, if there is one.
    private func removeTwin(_ other: RootNode) -> Bool {
        Domain.withLocks([domain, other.domain]) {
            guard let index = condition.twins.firstIndex(where: { $0 === other }) else { return false }
            condition.twins.remove(at: index)
            if let index = other.condition.twins.firstIndex(where: { $0 === self }) {
                other.condition.twins.remove(at: index)
            }
            return true
        }
    }

    /// Requires the gate of this leader. Releases the followers that are no longer connected to the others.
    private func part() {
        var rest = followers
        var groups: [[RootNode]] = []
        while let first = rest.first {
            let group = Self.connected(to: first)
            let members = Set(group.map(ObjectIdentifier.init))
            rest.removeAll { members.contains(ObjectIdentifier($0)) }
            groups.append(group)
        }
        groups.sort { $0.count > $1.count }
        for (number, group) in groups.enumerated() {
            if group.count == 1 {
                group[0].follow(nil)
            } else if number > 0 {
                RootNode(value.unsafelyUnwrapped, name: StreamName("binding"), height: -1).adopt(group)
            }
        }
    }

    private static func connected(to first: RootNode) -> [RootNode] {
        var (found, seen): ([RootNode], Set<ObjectIdentifier>) = ([first], [ObjectIdentifier(first)])
        var position = 0
        while position < found.count {
            let twins = found[position].domain.withLock { found[position].condition.twins }
            for twin in twins where seen.insert(ObjectIdentifier(twin)).inserted { found.append(twin) }
            position += 1
        }
        return found
    }
}

package import HotSignals

/// Roots that have one value: what is set here is set there, in the same ``Turn``. So nothing is mirrored back, and threads that set
/// both cannot send them round in circles.
///
/// It is a relation between two, and what holds for two holds for all that are connected by it.
extension RootNode {
    /// Gives this the value of another root, and from then on the same value as that. Returns what ends it.
    package func link(leader: RootNode) -> any Disposable {
        if self === leader { return AnyDisposable {} }
        Graph.join(origin, leader.origin)
        link(leader, ThreadIdentity.current)
        return AnyDisposable { [weak self, weak leader] in
            if let self, let leader { self.unlink(leader) }
        }
    }

    private func link(_ leader: RootNode, _ thread: UInt) {
        switch origin.enter(thread, mayWait: true) {
        case .entered(let graph): link(leader, graph, thread, leaves: true)
        case .inside(let graph): link(leader, graph, thread, leaves: false)
        case .busy(let gate): linkAhead(leader, gate)
        }
    }

    private func link(_ leader: RootNode, _ graph: Graph, _ thread: UInt, leaves: Bool) {
        let (beginning, new, former) = graph.withOwnLock { () -> (Beginning, Value?, Value?) in
            guard graph.isReady else { return (.unready, nil, nil) }
            let (new, former) = (leader.latestUnderLock, value)
            if isConnected(to: leader) {
                linkUnderLock(leader)
                return (.ended, new, former)
            }
            // In this order: the leader does not change in this turn.
            let beginning = begin(with: new, graph, thread)
            if beginning != .behind { linkUnderLock(leader) }
            return (beginning, new, former)
        }
        if beginning == .behind {
            linkAhead(leader, graph.gate)
            if leaves { graph.gate.leave(thread) }
        } else if let new {
            proceed(beginning, new, graph, thread, leaves: leaves)
        } else {
            if leaves { graph.gate.leave(thread) }
            link(leader, thread)
        }
        withExtendedLifetime(former) {}
    }

    /// Lock. Whether the two have one value already.
    private func isConnected(to other: RootNode) -> Bool {
        var nodes: [RootNode] = [self]
        var position = 0
        while position < nodes.count, nodes[position] !== other {
            for twin in nodes[position].twins where !nodes.contains(where: { $0 === twin }) { nodes.append(twin) }
            position += 1
        }
        return position < nodes.count
    }

    /// Links where the turn has to wait.
    private func linkAhead(_ leader: RootNode, _ gate: Gate) {
        Self.withReadable([leader]) {
            linkUnderLock(leader)
            addAhead(leader.latestUnderLock, gate)
        }
        gate.settle()
    }

    /// Lock.
    private func linkUnderLock(_ other: RootNode) {
        twins.append(other)
        other.twins.append(self)
    }

    private func unlink(_ other: RootNode) {
        var garbage: [Unmanaged<PropertyNode>] = []
        origin.withLock { graph in
            unlink(other, &garbage)
            // A turn may be about to set it.
            if graph.computing > 0 {
                graph.debris += garbage
                graph.isSpecial = true
                garbage = []
            }
        }
        for node in garbage { node.letGo() }
    }

    /// Lock. The references are to be let go of outside the lock.
    func unlink(_ other: RootNode, _ garbage: inout [Unmanaged<PropertyNode>]) {
        for (node, twin) in [(self, other), (other, self)] {
            guard let index = node.twins.firstIndex(where: { $0 === twin }) else { continue }
            garbage.append(.passRetained(node.twins.remove(at: index)))
        }
    }

    /// Lock. Begins a turn in which this and its twins have a new value, which is this one's next.
    @usableFromInline @inline(never)
    func beginWithTwins(_ graph: Graph) {
        var nodes: [PropertyNode] = []
        if let next { stage(next, &nodes) }
        graph.begin(with: nodes)
    }

    /// Lock. Gives this and its twins a next value, for the turn that is to begin with `nodes`.
    func stage(_ new: Value, _ nodes: inout [PropertyNode]) {
        isSetting = true
        var staged: [RootNode] = [self]
        var position = 0
        while position < staged.count {
            let node = staged[position]
            // Its body would overwrite the value.
            node.refuseAccess()
            node.next = new
            node.hasNext = true
            nodes.append(node)
            for twin in node.twins where !twin.isSetting {
                twin.isSetting = true
                staged.append(twin)
            }
            position += 1
        }
    }
}

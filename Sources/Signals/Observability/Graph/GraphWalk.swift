/// Collects the nodes of a snapshot.
@usableFromInline
package struct GraphWalk {
    private struct Draft {
        var node: StreamGraph.Node
        /// The addresses of its parents.
        var parents: [UInt]
    }

    private let now: Int
    private let waits = WaitLog.all
    private let waitingThreads: [UInt: Int]
    private var drafts: [UInt: Draft] = [:]
    /// For objects that are parts of others, or that have no node of their own: to which object they belong.
    private var wholes: [UInt: UInt] = [:]
    /// Parents that their children do not know.
    private var moreParents: [UInt: [UInt]] = [:]
    /// The threads inside the gates for which others wait.
    private var owners: [UInt: UInt64] = [:]

    package init(now: Int = GraphRegistry.now) {
        self.now = now
        waitingThreads = waits.reduce(into: [:]) { if $1.kind == .thread { $0[$1.object, default: 0] += 1 } }
        GateProbe.tidy()
    }

    // MARK: For members

    /// Adds an object.
    ///
    /// - Parameter parents: What it is derived from or belongs to.
    package mutating func add(
        _ object: AnyObject, _ record: GraphRecord, _ kind: StreamGraph.Node.Kind, _ name: GraphName,
        parents: [AnyObject] = [], _ complete: (inout StreamGraph.Node) -> Void = { _ in }
    ) {
        let age = Duration.nanoseconds(now - record.since)
        var node = StreamGraph.Node(id: record.id, kind: kind, name: name.text, age: age)
        (node.fileID, node.line) = (name.location?.file.description, name.location?.line)
        complete(&node)
        var addresses = parents.map { GraphRegistry.address(of: $0) }
        if record.partner != 0 { addresses.insert(record.partner, at: 0) }
        drafts[GraphRegistry.address(of: object)] = Draft(node: node, parents: addresses)
    }

    /// Makes an object a part of another, so that it has no node of its own.
    package mutating func absorb(_ part: AnyObject, into whole: AnyObject) {
        absorb(GraphRegistry.address(of: part), into: GraphRegistry.address(of: whole))
    }

    /// The same for the core of a start and the address of its run, which may have no node.
    package mutating func absorb(_ part: UInt, into whole: UInt) {
        if part != whole { wholes[part] = whole }
    }

    /// Adds a parent to an object that does not know it.
    package mutating func attach(_ child: AnyObject, to parent: AnyObject) {
        moreParents[GraphRegistry.address(of: child), default: []].append(GraphRegistry.address(of: parent))
    }

    /// What happens in a gate. `nil` if no thread is inside and none waits.
    package mutating func state(of gate: Gate) -> StreamGraph.GateState? {
        let owner = UInt64(gate.holder)
        let address = GraphRegistry.address(of: gate)
        let waiting = waitingThreads[address] ?? 0
        let duration = GateProbe.look(at: gate, now: now)
        if owner != 0 { owners[address] = owner }
        if owner == 0, waiting == 0 { return nil }
        return StreamGraph.GateState(owner: owner == 0 ? nil : owner, duration: duration, waiting: waiting)
    }

    // MARK: The result

    package consuming func finish(after former: StreamGraph.Snapshot?) -> StreamGraph.Snapshot {
        wholes = wholes.filter { drafts[$0.value] != nil }
        mergeParts()
        let ids = drafts.mapValues(\.node.id)
        var nodes = drafts.map { address, draft in
            var node = draft.node
            if node.name.isEmpty { node.name = node.kind.rawValue }
            for parent in draft.parents + (moreParents[address] ?? []) {
                guard let id = ids[whole(of: parent)], id != node.id, !node.parents.contains(id) else { continue }
                node.parents.append(id)
            }
            return node
        }
        nodes.sort { $0.id < $1.id }
        let waits = waits.map { wait in
            StreamGraph.Wait(
                kind: wait.kind, node: ids[whole(of: wait.object)], thread: UInt64(wait.thread),
                threadName: wait.threadName, duration: .nanoseconds(now - wait.since),
                owner: wait.kind == .thread ? owners[wait.object] : nil)
        }
        let warnings = GraphWarnings(nodes, waits, after: former).all
        return StreamGraph.Snapshot(nodes: nodes, waits: waits, warnings: warnings)
    }

    /// The object that an object is a part of, or the object itself.
    private func whole(of part: UInt) -> UInt {
        var part = part
        // Parts of parts of parts.
        for _ in 0..<8 {
            guard let whole = wholes[part] else { break }
            part = whole
        }
        return part
    }

    private mutating func mergeParts() {
        for part in wholes.keys {
            guard let draft = drafts.removeValue(forKey: part) else { continue }
            let address = whole(of: part)
            guard var whole = drafts[address] else { continue }
            if whole.node.name.isEmpty { whole.node.name = draft.node.name }
            whole.node.gate = whole.node.gate ?? draft.node.gate
            if whole.node.kind == .property { whole.node.observers = draft.node.observers }
            whole.node.isHeld = whole.node.isHeld ?? draft.node.isHeld
            if whole.node.kind != .action { whole.node.events = whole.node.events ?? draft.node.events }
            whole.node.fileID = whole.node.fileID ?? draft.node.fileID
            whole.node.line = whole.node.line ?? draft.node.line
            if whole.node.kind != .action { whole.parents += draft.parents }
            drafts[address] = whole
        }
    }
}

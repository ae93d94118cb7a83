import HotSignals

/// Collects the nodes of a snapshot.
struct GraphWalk {
    private let now: Int
    private let waits = WaitLog.all
    private let waitingThreads: [UInt: Int]
    // Side by side, because nodes are large: a dictionary of them would be moved when it grows.
    private var nodes: [StreamGraph.Node] = []
    /// The addresses of the parents of each node.
    private var parents: [[UInt]] = []
    /// Where the node of an object is, by its address.
    private var positions: [UInt: Int] = [:]
    /// For objects that are parts of others, or that have no node of their own: to which object they belong.
    private var wholes: [UInt: UInt] = [:]
    /// Parents that their children do not know.
    private var moreParents: [UInt: [UInt]] = [:]
    /// The places that have added observers, by the address of the observed object, and how many observers.
    private var observers: [UInt: [CodeLocation: Int]] = [:]
    /// The threads inside the gates for which others wait.
    private var owners: [UInt: UInt64] = [:]

    init(now: Int = GraphRegistry.now) {
        self.now = now
        waitingThreads = waits.reduce(into: [:]) { if $1.kind == .thread { $0[$1.object, default: 0] += 1 } }
        GateProbe.tidy()
    }

    /// Adds a member, unless it has ended.
    mutating func add(_ member: any GraphMember, _ record: GraphRecord) {
        guard let entry = member.graphEntry else { return }
        let address = GraphHook.address(of: member)
        var parents = entry.parents.map { GraphHook.address(of: $0) }
        guard let kind = StreamGraph.Node.Kind(rawValue: record.isStart ? "start" : entry.kind.rawValue) else {
            // An observer.
            for observed in parents { observers[observed, default: [:]][record.location, default: 0] += 1 }
            return
        }
        for part in entry.parts { absorb(GraphHook.address(of: part), into: address) }
        for child in entry.children { moreParents[GraphHook.address(of: child), default: []].append(address) }
        // The head of a start is a part of the start, which may have no node.
        if record.isStart { absorb(address, into: record.partner) }
        if record.partner != 0 { parents.insert(record.partner, at: 0) }
        positions[address] = nodes.count
        nodes.append(node(of: member, entry, record, kind))
        self.parents.append(parents)
    }

    private mutating func node(
        of member: any GraphMember, _ entry: GraphEntry, _ record: GraphRecord, _ kind: StreamGraph.Node.Kind
    ) -> StreamGraph.Node {
        var name = record.label.map { GraphName($0.text, $0.location) } ?? entry.name
        // Nothing upstream has a node with the rest of its name.
        if record.isStart, let core = member.graphCore { name = core.graphName(isOperator: false) }
        var node = StreamGraph.Node(
            id: record.id, kind: kind, name: name.text, age: .nanoseconds(now - record.since))
        let started = StreamGraph.Place(record.location)
        let place = StreamGraph.Place(name.location) ?? started
        (node.fileID, node.line) = (place?.fileID, place?.line)
        if kind == .start { node.startPlace = started } else { node.observers = entry.observers }
        if let gate = entry.gate { node.gate = state(of: gate) }
        let (count, longest) = record.taskWaits
        if count > 0 { node.taskWaits = .init(count: Int(count), longest: .microseconds(Int(longest))) }
        node.changes = entry.changes
        node.buffer = entry.buffer.map { StreamGraph.BufferState(depth: $0.depth, limit: $0.limit) }
        node.executions = entry.executions.map {
            StreamGraph.ExecutionState(running: $0.running, waiting: $0.waiting)
        }
        return node
    }

    private mutating func absorb(_ part: UInt, into whole: UInt) { if part != whole { wholes[part] = whole } }

    /// What happens in a gate. `nil` if no thread is inside and none waits.
    private mutating func state(of gate: Gate) -> StreamGraph.GateState? {
        let owner = UInt64(gate.holder)
        let address = GraphHook.address(of: gate)
        let waiting = waitingThreads[address] ?? 0
        let duration = GateProbe.look(at: gate, now: now)
        if owner != 0 { owners[address] = owner }
        if owner == 0, waiting == 0 { return nil }
        return StreamGraph.GateState(owner: owner == 0 ? nil : owner, duration: duration, waiting: waiting)
    }

    // MARK: The result

    consuming func finish(after former: StreamGraph.Snapshot?) -> StreamGraph.Snapshot {
        wholes = wholes.filter { positions[$0.value] != nil }
        mergeParts()
        addObserverPlaces()
        for (address, position) in positions {
            let id = nodes[position].id
            if nodes[position].name.isEmpty { nodes[position].name = nodes[position].kind.rawValue }
            for parent in parents[position] + (moreParents[address] ?? []) {
                guard let parent = self.id(of: parent), parent != id, !nodes[position].parents.contains(parent)
                else { continue }
                nodes[position].parents.append(parent)
            }
        }
        // Sorts the numbers, and moves each node only once.
        let order = positions.values.map { (id: nodes[$0].id, position: $0) }.sorted { $0.id < $1.id }
        let sorted = order.map { nodes[$0.position] }
        let waits = waits.map { wait in
            StreamGraph.Wait(
                kind: wait.kind, node: id(of: wait.object), thread: UInt64(wait.thread),
                threadName: wait.threadName, duration: .nanoseconds(now - wait.since),
                owner: wait.kind == .thread ? owners[wait.object] : nil)
        }
        var taskWaits: [UInt64: [Duration]] = [:]
        for (wait, entry) in zip(waits, self.waits) where entry.stopsOthers {
            guard let node = wait.node, wait.duration >= .nanoseconds(WaitLog.shortestTaskWait) else { continue }
            taskWaits[node, default: []].append(wait.duration)
        }
        let warnings = GraphWarnings(sorted, waits, taskWaits, after: former).all
        return StreamGraph.Snapshot(nodes: sorted, waits: waits, warnings: warnings)
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

    /// The number of the node of an object, or of the object that it is a part of.
    private func id(of object: UInt) -> UInt64? { positions[whole(of: object)].map { nodes[$0].id } }

    private mutating func addObserverPlaces() {
        var places: [Int: [StreamGraph.Place: Int]] = [:]
        for (object, counts) in observers {
            guard let position = positions[whole(of: object)] else { continue }
            for (location, count) in counts {
                guard let place = StreamGraph.Place(location) else { continue }
                places[position, default: [:]][place, default: 0] += count
            }
        }
        for (position, counts) in places {
            nodes[position].observerPlaces = counts.map { StreamGraph.ObserverPlace(place: $0, count: $1) }
                .sorted { ($1.count, $0.place.fileID, $0.place.line) < ($0.count, $1.place.fileID, $1.place.line) }
        }
    }

    private mutating func mergeParts() {
        for part in wholes.keys {
            guard let position = positions.removeValue(forKey: part), let whole = positions[whole(of: part)]
            else { continue }
            nodes[whole].absorb(nodes[position])
            if nodes[whole].kind != .action { parents[whole] += parents[position] }
        }
    }
}

extension StreamGraph.Node {
    /// Adds what is known about a part.
    fileprivate mutating func absorb(_ part: StreamGraph.Node) {
        if name.isEmpty { name = part.name }
        gate = gate ?? part.gate
        if let waits = part.taskWaits {
            let own = taskWaits ?? .init(count: 0, longest: .zero)
            taskWaits = .init(count: own.count + waits.count, longest: max(own.longest, waits.longest))
        }
        if kind == .property { observers = part.observers }
        fileID = fileID ?? part.fileID
        line = line ?? part.line
        startPlace = startPlace ?? part.startPlace
    }
}

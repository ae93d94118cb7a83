/// Finds what looks wrong in a snapshot.
struct GraphWarnings {
    private(set) var all: [StreamGraph.Warning] = []
    private let nodes: [StreamGraph.Node]
    private let waits: [StreamGraph.Wait]

    /// After how long a wait or an event in flight looks wrong.
    private static let longest = Duration.seconds(1)
    /// At how many values a queue without a bound is suspected of growing.
    private static let smallestGrowth = 100

    /// How many places a warning names.
    private static let mostPlaces = 4

    /// - Parameter taskWaits: For how long threads that run tasks have been waiting, by the node for which they wait.
    init(
        _ nodes: [StreamGraph.Node], _ waits: [StreamGraph.Wait], _ taskWaits: [UInt64: [Duration]],
        after former: StreamGraph.Snapshot?
    ) {
        (self.nodes, self.waits) = (nodes, waits)
        findWaits()
        findTaskWaits(taskWaits, after: former)
        findDeliveries()
        if let former { findBuffers(after: former) }
    }

    /// One warning for all threads that wait for the same stream. The first has waited longest.
    private mutating func findWaits() {
        let long = waits.filter { $0.kind == .thread && $0.duration >= Self.longest }
        var counts = long.reduce(into: [UInt64: Int]()) { if let node = $1.node { $0[node, default: 0] += 1 } }
        for wait in long {
            let count = wait.node.map { counts.removeValue(forKey: $0) ?? 0 } ?? 1
            if count == 0 { continue }
            var text = "\(title(of: wait)) has waited \(wait.duration.inSeconds) to send to \(title(wait.node))"
            if let owner = wait.owner {
                let next = waits.first { $0.kind == .thread && $0.thread == owner }
                text += ", in which \(next.map(title(of:)) ?? owner.asThread) delivers an event"
                if let next {
                    text += " and waits to send to \(title(next.node))"
                } else {
                    text += "; if that thread wants a lock that the waiting thread holds, neither can go on"
                }
            }
            if count > 1 { text += ". So \(count == 2 ? "has" : "have") \((count - 1).of("more thread"))" }
            all.append(StreamGraph.Warning(kind: .waitsLong, node: wait.node, description: text))
        }
    }

    /// One warning for each stream for which threads that run tasks wait, or have waited since the former snapshot.
    private mutating func findTaskWaits(_ current: [UInt64: [Duration]], after former: StreamGraph.Snapshot?) {
        let awaited = nodes.filter { $0.taskWaits != nil || current[$0.id] != nil }
        if awaited.isEmpty { return }
        let formerWaits = former?.nodes.reduce(into: [:]) { $0[$1.id] = $1.taskWaits } ?? [:]
        for node in awaited {
            let durations = current[node.id] ?? []
            let count = (node.taskWaits?.count ?? 0) - (formerWaits[node.id]?.count ?? 0) + durations.count
            guard count > 0 else { continue }
            // The longest of all may have been before the former snapshot.
            let recorded = node.taskWaits?.longest ?? .zero
            let isNew = recorded > formerWaits[node.id]?.longest ?? .zero
            let longest = max(isNew ? recorded : .milliseconds(10), durations.max() ?? .zero)
            let place = node.fileID.map { " (\($0.printable()):\(node.line ?? 0))" } ?? ""
            let observers = suspects(below: node)
            let text = """
                threads that run tasks or an event loop have waited \(count.of("time")) to send to \
                \(title(node))\(place), one of them for \(longest.inMilliseconds) or more: meanwhile other tasks had a thread less. \
                Send with .enqueue, or observe on a scheduler\(observers)
                """
            all.append(StreamGraph.Warning(kind: .blocksTasks, node: node.id, description: text))
        }
    }

    /// The nodes by their parents. Built only if there is something to say.
    private lazy var children = nodes.reduce(into: [UInt64: [StreamGraph.Node]]()) { children, node in
        for parent in node.parents { children[parent, default: []].append(node) }
    }

    private mutating func findDeliveries() {
        for node in nodes {
            guard let gate = node.gate, let owner = gate.owner, let duration = gate.duration,
                duration >= Self.longest
            else { continue }
            let thread = waits.first { $0.kind == .thread && $0.thread == owner }.map(title(of:)) ?? owner.asThread
            let text = """
                an event of \(title(node)) has been in flight for at least \(duration.inSeconds), on \(thread): an \
                observer or an operator takes long\(suspects(below: node))
                """
            all.append(StreamGraph.Warning(kind: .deliversLong, node: node.id, description: text))
        }
    }

    /// The places of those that receive the events of a node, also through operators, as the end of a warning.
    private mutating func suspects(below node: StreamGraph.Node) -> String {
        var places: [StreamGraph.Place] = []
        var (pending, seen) = ([node], Set([node.id]))
        while places.count <= Self.mostPlaces, let next = pending.popLast() {
            if let start = next.startPlace, !places.contains(start) { places.append(start) }
            for observer in next.observerPlaces ?? [] where !places.contains(observer.place) {
                places.append(observer.place)
            }
            pending += (children[next.id] ?? []).filter { seen.insert($0.id).inserted }
        }
        if places.isEmpty { return "" }
        let texts = places.prefix(Self.mostPlaces).map { $0.description.printable() }
        return ". Look at " + texts.joined(separator: ", ") + (places.count > texts.count ? " and others" : "")
    }

    private mutating func findBuffers(after former: StreamGraph.Snapshot) {
        let suspects = nodes.filter { $0.buffer.map { $0.limit == nil && $0.depth >= Self.smallestGrowth } == true }
        if suspects.isEmpty { return }
        let depths = former.nodes.reduce(into: [:]) { $0[$1.id] = $1.buffer?.depth }
        for node in suspects {
            guard let buffer = node.buffer, let depth = depths[node.id], buffer.depth > depth else { continue }
            let owner = node.parents.first.map { " of \(title($0))" } ?? ""
            let text = "\(title(node))\(owner) has no bound and grows: from \(depth) to \(buffer.depth)"
            all.append(StreamGraph.Warning(kind: .bufferGrows, node: node.id, description: text))
        }
    }

    // MARK: Names

    private func title(of wait: StreamGraph.Wait) -> String {
        wait.thread.asThread + (wait.threadName.map { " (\($0))" } ?? "")
    }

    private func title(_ node: StreamGraph.Node) -> String { "\(node.name) #\(node.id)" }

    /// `nodes` are sorted by their numbers.
    private func title(_ id: UInt64?) -> String {
        guard let id else { return "a stream that was not recorded" }
        var (low, high) = (0, nodes.count)
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < nodes.count, nodes[low].id == id else { return "a stream that was not recorded" }
        return title(nodes[low])
    }
}

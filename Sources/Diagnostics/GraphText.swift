/// Prints a snapshot as a tree.
struct GraphText {
    let text: String

    /// Deeper nodes are not indented further, so that the text of a long chain stays readable and small.
    private static let deepest = 24

    init(_ snapshot: StreamGraph.Snapshot) {
        let known = Set(snapshot.nodes.map(\.id))
        var children: [UInt64: [StreamGraph.Node]] = [:]
        var roots: [StreamGraph.Node] = []
        for node in snapshot.nodes {
            if let parent = node.parents.first, parent != node.id, known.contains(parent) {
                children[parent, default: []].append(node)
            } else {
                roots.append(node)
            }
        }
        var lines = snapshot.warnings.map { "warning: \($0.description.printable())" }
        var isPrinted: Set<UInt64> = []
        // Begins with the roots. What remains after that is part of a cycle.
        for root in roots + snapshot.nodes {
            // Iterates, because chains can be thousands of stages long.
            var pending = [(node: root, depth: 0)]
            while let (node, depth) = pending.popLast() {
                guard isPrinted.insert(node.id).inserted else { continue }
                lines.append(String(repeating: "  ", count: min(depth, Self.deepest)) + Self.line(node))
                for child in (children[node.id] ?? []).reversed() { pending.append((child, depth + 1)) }
            }
        }
        text = lines.joined(separator: "\n")
    }

    private static func line(_ node: StreamGraph.Node) -> String {
        var parts = ["\(node.kind) \(node.name.printable()) #\(node.id)"]
        if let file = node.fileID { parts[0] += " (\(file.printable()):\(node.line ?? 0))" }
        parts += details(of: node)
        if node.parents.count > 1 {
            parts.append("also from " + node.parents.dropFirst().map { "#\($0)" }.joined(separator: " "))
        }
        return parts.joined(separator: ", ")
    }

    /// What is known about a node, besides what it is.
    static func details(of node: StreamGraph.Node) -> [String] {
        var details = [node.age.inSeconds]
        if let place = node.startPlace, !node.isNamed(at: place) {
            details.append("started at \(place.description.printable())")
        }
        if let observers = node.observers {
            details.append(observers.of("observer") + (node.observerPlaces.map(Self.places(of:)) ?? ""))
        }
        if let changes = node.changes { details.append("changes: \(changes)") }
        if let buffer = node.buffer {
            details.append("depth: \(buffer.depth) of \(buffer.limit.map { "\($0)" } ?? "any number")")
        }
        if let executions = node.executions {
            details.append("running: \(executions.running), waiting: \(executions.waiting)")
        }
        if let gate = node.gate {
            let duration = gate.duration.map { " for \($0.inSeconds)" } ?? ""
            if let owner = gate.owner { details.append("\(owner.asThread) delivers\(duration)") }
            if gate.waiting > 0 { details.append("\(gate.waiting.of("thread")) waiting") }
        }
        if let waits = node.taskWaits {
            details.append("tasks blocked \(waits.count.of("time")) for up to \(waits.longest.inMilliseconds)")
        }
        return details
    }

    /// ` at App/Orders.swift:12 (3) and App/Audit.swift:7`. Not more places than a line has room for.
    private static func places(of observers: [StreamGraph.ObserverPlace]) -> String {
        var texts = observers.prefix(4).map { $0.description.printable() }
        if observers.count > 4 { texts.append("...") }
        return " at " + texts.joined(separator: " and ")
    }
}

extension StreamGraph.Node {
    /// Whether the place is the one that the node shows anyway.
    fileprivate func isNamed(at place: StreamGraph.Place) -> Bool { fileID == place.fileID && line == place.line }
}

extension Duration {
    /// `3.2 s`
    var inSeconds: String {
        let tenths = (self / .milliseconds(100)).rounded(.down)
        return "\(tenths / 10) s"
    }

    /// `12 ms`
    var inMilliseconds: String { "\(Int(self / .milliseconds(1))) ms" }
}

extension UInt64 {
    /// A thread as debuggers print it.
    var asThread: String { "thread 0x\(String(self, radix: 16))" }
}

extension Int {
    /// `1 observer`, `2 observers`
    func of(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}

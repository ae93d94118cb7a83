package import ReactiveDiagnostics
package import TopProtocol

/// A stream as the viewer shows it.
package struct StreamRow: Codable, Sendable, Equatable {
    package let id: UInt64
    package let kind: StreamGraph.Node.Kind
    package let name: String
    package let file: String?
    package let line: UInt?
    /// In seconds.
    package let age: Double
    /// How often a property has been set per second since the former snapshot. `nil` without one.
    package let rate: Double?
    /// How often a property has been set.
    package let changes: UInt64?
    package let observers: Int?
    /// Where it was started, for a start.
    package let startPlace: StreamGraph.Place?
    /// Where its observers were added, the place of most of them first.
    package let observerPlaces: [StreamGraph.ObserverPlace]?
    /// How much is in a queue, or how many executions of an action run.
    package let depth: Int?
    /// How much may be in the queue.
    package let limit: Int?
    /// How many threads, tasks and executions wait for it.
    package let waiting: Int
    /// The thread that delivers an event, as debuggers print it.
    package let owner: String?
    /// For how long at least the event has been in flight, in seconds.
    package let delivers: Double?
    package let parents: [UInt64]

    /// The rows of a snapshot, in its order.
    ///
    /// - Parameter former: An earlier snapshot of the same process.
    package static func rows(
        of picture: TopProtocol.Picture, after former: TopProtocol.Picture?
    ) -> [StreamRow] {
        var waiting: [UInt64: Int] = [:]
        for wait in picture.waits { if let node = wait.node { waiting[node, default: 0] += 1 } }
        var counts: [UInt64: UInt64] = [:]
        for node in former?.nodes ?? [] { counts[node.id] = node.changes }
        let interval = former.map { picture.time - $0.time } ?? 0
        return picture.nodes.map { node in
            // What was not there before has begun at 0.
            let rate: Double? =
                if interval > 0, let count = node.changes {
                    Double(count &- min(count, counts[node.id] ?? 0)) / interval
                } else {
                    nil
                }
            return StreamRow(node, rate, waiting: waiting[node.id] ?? 0)
        }
    }

    private init(_ node: StreamGraph.Node, _ rate: Double?, waiting: Int) {
        (id, kind, name, file, line) = (node.id, node.kind, node.name, node.fileID, node.line)
        // A stream can be made while the snapshot is taken, after the snapshot has read the clock.
        (age, self.rate, changes) = (max(0, node.age / .seconds(1)), rate, node.changes)
        observers = node.observers
        (startPlace, observerPlaces) = (node.startPlace, node.observerPlaces)
        (depth, limit) = (node.buffer?.depth ?? node.executions?.running, node.buffer?.limit)
        self.waiting = max(waiting, node.gate?.waiting ?? 0) + (node.executions?.waiting ?? 0)
        owner = node.gate?.owner.map { "0x\(String($0, radix: 16))" }
        delivers = node.gate?.duration.map { $0 / .seconds(1) }
        parents = node.parents
    }
}

extension StreamRow {
    /// The modules of the library and of Integrations.
    private static let libraryModules: Set<Substring> = [
        "HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveAsync", "ReactiveActions", "ReactiveSignals",
        "ReactiveDiagnostics", "ReactiveServer", "MemoizedSequences", "ReactiveObservation",
        "ReactiveSignalsFoundation", "ReactiveSignalsTesting", "ReactiveSignalsLifecycle", "ReactiveSignalsLogging",
        "ReactiveSignalsMetrics", "ReactiveSignalsNIO",
        "ReactiveSignalsPrometheus", "ReactiveSignalsTop", "ReactiveSignalsTracing", "ReactiveCluster",
        "ReactiveClusterNATS", "ReactiveClusterTesting",
    ]

    /// Whether the library or Integrations has made it for its own purposes, such as the condition of an action.
    package var isOfLibrary: Bool {
        // A name that the user gave has a file.
        guard let file else { return kind == .property && name == "condition" }
        return file.split(separator: "/").first.map(Self.libraryModules.contains) ?? false
    }
}

public import Metrics
public import ReactiveDiagnostics
import Synchronization

/// Measures how much is in the queues of streams, with swift-metrics.
///
/// ```swift
/// StreamGraph.start()
/// let buffers = BufferMetrics("streams", limit: 50)
/// // Before the metrics are read, or every few seconds:
/// buffers.record()
/// ```
///
/// | metric | is |
/// |---|---|
/// | `streams.buffer_depth` | a meter of what is in the queues, with the dimensions `stream` and `buffer` |
/// | `streams.longest_wait` | a meter of the longest wait now, in seconds, with the dimension `kind`: see `StreamWaiting` |
///
/// `stream` is the name of the signal, the start or the action that the queue belongs to in the end, so give it one with
/// `named(_:)`. For an async sequence it is the place in the code that made it, such as `App/Orders.swift:12`. `buffer`
/// is what the library calls the queue. The depths of queues with the same two names are added up. Which queues there
/// are, and what their depth counts, is in the documentation of `StreamGraph`.
///
/// A tap cannot know this: it sees a value when it is sent, and not when a consumer takes it out of a queue. So a depth
/// is measured only when `record` is called, and for how long a value is in a queue is not measured.
///
/// **Cost**: that of `StreamGraph`, for starts. `record()` takes as long as a snapshot, in proportion to
/// what is alive.
public final class BufferMetrics: Sendable {
    private struct Key: Hashable, Comparable {
        var stream: String
        var buffer: String

        static func < (left: Key, right: Key) -> Bool { (left.stream, left.buffer) < (right.stream, right.buffer) }
    }

    private let label: String
    private let dimensions: [(String, String)]
    private let factory: any MetricsFactory
    private let limit: Int
    private let waits: [(kind: StreamWaiting.Kind, meter: Meter)]
    /// The meter of all queues beyond the limit.
    private let others: Meter
    /// The meters of the names so far.
    private let meters = Mutex<[Key: Meter]>([:])

    /// Creates the metrics. Records nothing yet.
    ///
    /// - Parameters:
    ///   - label: The beginning of the labels of the metrics.
    ///   - dimensions: The dimensions of all of them.
    ///   - factory: Makes the metrics. By default, that of `MetricsSystem`.
    ///   - limit: The maximum number of pairs of names. All later ones are `other`. Traps unless positive.
    public init(
        _ label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil, limit: Int
    ) {
        precondition(limit > 0, "BufferMetrics(limit: \(limit)): the number of names must be positive")
        let factory = factory ?? MetricsSystem.factory
        self.label = label
        self.dimensions = dimensions
        self.factory = factory
        self.limit = limit
        waits = StreamWaiting.Kind.allCases.map { kind in
            let dimensions = dimensions + [("kind", kind.rawValue)]
            return (kind, Meter(label: "\(label).longest_wait", dimensions: dimensions, factory: factory))
        }
        others = Self.meter(Key(stream: "other", buffer: "other"), label, dimensions, factory)
    }

    private static func meter(
        _ key: Key, _ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory
    ) -> Meter {
        let dimensions = dimensions + [("stream", key.stream), ("buffer", key.buffer)]
        return Meter(label: "\(label).buffer_depth", dimensions: dimensions, factory: factory)
    }

    /// Records what is in the queues now.
    public func record() { record(StreamGraph.snapshot()) }

    /// Records what was in the queues when a snapshot was taken. A queue that is gone counts as empty.
    ///
    /// If several threads record at the same time, any of their snapshots may count last.
    public func record(_ snapshot: StreamGraph.Snapshot) {
        let nodes = Dictionary(snapshot.nodes.map { ($0.id, $0) }) { first, _ in first }
        var depths: [Key: Int] = [:]
        for node in snapshot.nodes {
            guard let buffer = node.buffer else { continue }
            depths[Key(stream: Self.stream(of: node, in: nodes), buffer: node.name), default: 0] += buffer.depth
        }
        let known = meters.withLock { $0 }
        // Made outside the lock, because it calls the backend. If two threads do so, one meter is not used.
        let new = depths.keys.filter { known[$0] == nil }.sorted().prefix(limit - known.count)
            .map { ($0, Self.meter($0, label, dimensions, factory)) }
        let all = meters.withLock { meters in
            for (key, meter) in new where meters[key] == nil && meters.count < limit { meters[key] = meter }
            return meters
        }
        for (key, meter) in all { meter.set(depths[key] ?? 0) }
        others.set(depths.reduce(0) { all[$1.key] == nil ? $0 + $1.value : $0 })
        for (kind, meter) in waits {
            let longest = snapshot.waits.filter { $0.kind == kind }.map(\.duration).max() ?? .zero
            meter.set(longest / .seconds(1))
        }
    }

    /// The name of what a queue belongs to in the end.
    private static func stream(of node: StreamGraph.Node, in nodes: [UInt64: StreamGraph.Node]) -> String {
        var (root, seen) = (node, Set([node.id]))
        while let parent = root.parents.lazy.compactMap({ nodes[$0] }).first, seen.insert(parent.id).inserted {
            root = parent
        }
        // The graph does not know of which signal an async sequence is.
        if root.id == node.id, let file = node.fileID, let line = node.line { return "\(file):\(line)" }
        return root.name
    }
}

import ReactiveDiagnostics
package import TopProtocol

/// What the viewer knows about the server.
package struct TopModel: Sendable {
    package let greeting: TopProtocol.Greeting
    package private(set) var picture: TopProtocol.Picture?
    package private(set) var rows: [StreamRow] = []
    /// The streams that a warning or a wait is about.
    private(set) var named: Set<UInt64> = []
    /// The streams of each name in the first snapshot.
    private var first: [String: Set<UInt64>]?

    package init(_ greeting: TopProtocol.Greeting) { self.greeting = greeting }

    package mutating func receive(_ new: TopProtocol.Picture) {
        rows = StreamRow.rows(of: new, after: picture)
        picture = new
        named = Set(new.warnings.compactMap(\.node) + new.waits.compactMap(\.node))
        if first == nil { first = rows.reduce(into: [:]) { $0[$1.groupKey, default: []].insert($1.id) } }
    }

    /// The streams with the same name and kind, as one.
    package var groups: [StreamGroup] {
        var groups: [String: StreamGroup] = [:]
        for row in rows { groups[row.groupKey, default: StreamGroup(row, first?[row.groupKey] ?? [])].add(row) }
        return Array(groups.values)
    }

    /// The warnings of the server, in one block for each stream: what says most about it comes first.
    package var warnings: [[String]] {
        // A wait says more than that the delivery takes long for which it waits.
        let kinds: [StreamGraph.Warning.Kind] = [.waitsLong, .blocksTasks, .bufferGrows, .deliversLong]
        var blocks: [[String]] = []
        var positions: [UInt64: Int] = [:]
        for kind in kinds {
            for warning in picture?.warnings ?? [] where warning.kind == kind {
                if let node = warning.node, let position = positions[node] {
                    blocks[position].append(warning.description)
                } else {
                    if let node = warning.node { positions[node] = blocks.count }
                    blocks.append([warning.description])
                }
            }
        }
        return blocks
    }

    /// What looks like a leak: many more streams of a name than at first, the most first. Empty if the server has sent
    /// only a part of its streams.
    package var growing: [StreamGroup] {
        guard let picture, picture.nodes.count == picture.total else { return [] }
        return groups.filter { $0.more >= StreamGroup.growth }.sorted { $0.more > $1.more }
    }
}

/// Streams with the same kind, name and place in the code, such as the starts of one producer.
package struct StreamGroup: Sendable, Equatable {
    package let row: StreamRow
    /// Those in the first snapshot that the viewer has received.
    private let first: Set<UInt64>
    /// How many of them are still there.
    private var remaining = 0
    package private(set) var count = 0
    package private(set) var rate: Double?
    /// The age of the oldest.
    package private(set) var age = 0.0
    package private(set) var depth: Int?
    package private(set) var waiting = 0
    /// For how long at least the longest event in flight has lasted.
    package private(set) var delivers: Double?
    /// Whether an event of one of them is in flight.
    package private(set) var isDelivering = false

    init(_ row: StreamRow, _ first: Set<UInt64>) { (self.row, self.first) = (row, first) }

    /// So many more than at first are worth a line.
    static let growth = 20

    /// How many more there are than at first.
    package var more: Int { count - first.count }

    /// `session (main.swift:15): 90 starts, 40 more than at first, when there were 50, of which 0 have ended`
    package var growth: String {
        var text = "\(TopTable.name(row)): \(count.of(row.kind.rawValue)), \(more) more than at first"
        if !first.isEmpty {
            text += ", when there were \(first.count), of which \(first.count - remaining) have ended"
        }
        return text
    }

    mutating func add(_ row: StreamRow) {
        count += 1
        if first.contains(row.id) { remaining += 1 }
        if let new = row.rate { rate = (rate ?? 0) + new }
        age = max(age, row.age)
        if let new = row.depth { depth = (depth ?? 0) + new }
        waiting += row.waiting
        if row.owner != nil { isDelivering = true }
        if let new = row.delivers { delivers = max(delivers ?? 0, new) }
    }
}

extension StreamRow {
    fileprivate var groupKey: String { "\(kind) \(name) \(file ?? ""):\(line ?? 0)" }
}

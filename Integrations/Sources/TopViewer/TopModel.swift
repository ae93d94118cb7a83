package import TopProtocol

/// What the viewer knows about the server.
package struct TopModel: Sendable {
    package let greeting: TopProtocol.Greeting
    package private(set) var picture: TopProtocol.Picture?
    package private(set) var rows: [StreamRow] = []
    /// How many streams of a name there were in the first snapshot.
    private var firstCounts: [String: Int]?

    package init(_ greeting: TopProtocol.Greeting) { self.greeting = greeting }

    package mutating func receive(_ new: TopProtocol.Picture) {
        rows = StreamRow.rows(of: new, after: picture)
        picture = new
        if firstCounts == nil { firstCounts = rows.reduce(into: [:]) { $0[$1.groupKey, default: 0] += 1 } }
    }

    /// The streams with the same name and kind, as one.
    package var groups: [StreamGroup] {
        var groups: [String: StreamGroup] = [:]
        for row in rows { groups[row.groupKey, default: StreamGroup(row, firstCounts?[row.groupKey] ?? 0)].add(row) }
        return Array(groups.values)
    }
}

/// Streams with the same kind, name and place in the code, such as the starts of one producer.
package struct StreamGroup: Sendable, Equatable {
    package let row: StreamRow
    /// How many there were in the first snapshot that the viewer has received.
    package let firstCount: Int
    package private(set) var count = 0
    package private(set) var rate: Double?
    /// The age of the oldest.
    package private(set) var age = 0.0
    package private(set) var depth: Int?
    package private(set) var waiting = 0

    init(_ row: StreamRow, _ firstCount: Int) { (self.row, self.firstCount) = (row, firstCount) }

    mutating func add(_ row: StreamRow) {
        count += 1
        if let new = row.rate { rate = (rate ?? 0) + new }
        age = max(age, row.age)
        if let new = row.depth { depth = (depth ?? 0) + new }
        waiting += row.waiting
    }
}

extension StreamRow {
    fileprivate var groupKey: String { "\(kind) \(name) \(file ?? ""):\(line ?? 0)" }
}

import Foundation
import ReactiveDiagnostics
import TopProtocol

/// What `--once --json` prints.
package struct TopReport: Codable, Sendable, Equatable {
    package struct Warning: Codable, Sendable, Equatable {
        package let kind: String
        package let stream: UInt64?
        package let text: String
    }

    package struct Wait: Codable, Sendable, Equatable {
        package let kind: String
        package let stream: UInt64?
        package let thread: String
        package let threadName: String?
        package let owner: String?
        /// In seconds.
        package let duration: Double
    }

    /// Streams of the same kind, name and place, with `--group`.
    package struct Group: Codable, Sendable, Equatable {
        package let kind: String
        package let name: String
        package let file: String?
        package let line: UInt?
        package let count: Int
        /// How many more there are than in the snapshot before.
        package let more: Int
        package let rate: Double?
        /// The age of the oldest, in seconds.
        package let age: Double
        package let depth: Int?
        package let waiting: Int
        /// For how long at least the longest event in flight has lasted, in seconds.
        package let delivers: Double?

        init(_ group: StreamGroup) {
            (kind, name, file, line) = (group.row.kind.rawValue, group.row.name, group.row.file, group.row.line)
            (count, more, rate, age) = (group.count, group.more, group.rate, group.age)
            (depth, waiting) = (group.depth, group.waiting)
            delivers = group.delivers
        }
    }

    package let program: String
    package let process: Int32
    /// For how long the server has been open, in seconds.
    package let time: Double
    /// How many streams there are. ``streams`` may have fewer.
    package let total: Int
    package let warnings: [Warning]
    package let waits: [Wait]
    package let streams: [StreamRow]
    package let groups: [Group]?

    package init(_ model: TopModel, _ state: TopState, limit: Int) {
        (program, process) = (model.greeting.program, model.greeting.process)
        (time, total) = (model.picture?.time ?? 0, model.picture?.total ?? 0)
        warnings = (model.picture?.warnings ?? []).map {
            Warning(kind: $0.kind.rawValue, stream: $0.node, text: $0.description)
        }
        waits = (model.picture?.waits ?? []).map { wait in
            Wait(
                kind: wait.kind.rawValue, stream: wait.node, thread: "0x\(String(wait.thread, radix: 16))",
                threadName: wait.threadName, owner: wait.owner.map { "0x\(String($0, radix: 16))" },
                duration: wait.duration / .seconds(1))
        }
        // If there are more, those that something is said about are among them.
        let named = Set(warnings.compactMap(\.stream) + waits.compactMap(\.stream))
        let rows = state.isGrouped ? [] : state.rows(model)
        let first = rows.count <= limit ? [] : Array(rows.filter { named.contains($0.id) }.prefix(limit))
        let rest = rows.lazy.filter { row in !first.contains { $0.id == row.id } }.prefix(limit - first.count)
        streams = first + Array(rest)
        groups = state.isGrouped ? state.groups(model).prefix(limit).map(Group.init) : nil
    }

    /// The report as JSON, with sorted keys.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

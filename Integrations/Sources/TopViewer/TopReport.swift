import Foundation
import ReactiveSignals
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
        package let owner: String?
        /// In seconds.
        package let duration: Double
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

    package init(_ model: TopModel, _ state: TopState, limit: Int) {
        (program, process) = (model.greeting.program, model.greeting.process)
        (time, total) = (model.picture?.time ?? 0, model.picture?.total ?? 0)
        warnings = (model.picture?.warnings ?? []).map {
            Warning(kind: $0.kind.rawValue, stream: $0.node, text: $0.description)
        }
        waits = (model.picture?.waits ?? []).map { wait in
            Wait(
                kind: wait.kind.rawValue, stream: wait.node, thread: "0x\(String(wait.thread, radix: 16))",
                owner: wait.owner.map { "0x\(String($0, radix: 16))" }, duration: wait.duration / .seconds(1))
        }
        streams = Array(state.rows(model).prefix(limit))
    }

    /// The report as JSON, with sorted keys.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

package import Foundation
package import ReactiveDiagnostics

/// What a server and its viewers say to each other: JSON objects, each on a line of its own.
///
/// The server sends a ``Greeting``. After that, the viewer sends ``Request``s, and the server answers each one with a
/// ``Reply``. While a viewer follows a stream, further replies come in between, with its events.
package enum TopProtocol {
    /// Changes whenever a program of the former version would misunderstand one of this version.
    package static let version = 1
    package static let name = "signals-top"

    /// A message as a line.
    package static func encode(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        var line = try encoder.encode(message)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    package static func decode<Message: Decodable>(_: Message.Type = Message.self, from line: Data) throws -> Message {
        try JSONDecoder().decode(Message.self, from: line)
    }

    /// The first line that a server sends.
    package struct Greeting: Codable, Sendable, Equatable {
        package var name = TopProtocol.name
        package var version: Int
        package var process: Int32
        package var program: String
        /// Whether the events of a stream that is followed have values.
        package var hasValues: Bool
        /// Whether a viewer can begin and end recordings. A server that does not know of them says nothing.
        package var canRecord: Bool?

        package init(
            version: Int = TopProtocol.version, process: Int32, program: String, hasValues: Bool,
            canRecord: Bool? = nil
        ) {
            (self.version, self.process, self.program) = (version, process, program)
            (self.hasValues, self.canRecord) = (hasValues, canRecord)
        }
    }

    /// What a viewer wants.
    package struct Request: Codable, Sendable, Equatable {
        package enum Command: String, Codable, Sendable {
            /// What is alive now.
            case snapshot
            /// The events of one stream, until the next request to follow one.
            case follow
            /// No events any more.
            case unfollow
            /// To begin a recording, or to know of the one in progress.
            case record
            /// To end the recording in progress.
            case stopRecording
        }

        package var version: Int
        package var command: Command
        package var node: UInt64?

        package init(_ command: Command, node: UInt64? = nil, version: Int = TopProtocol.version) {
            (self.command, self.node, self.version) = (command, node, version)
        }
    }

    /// What a server answers. One of the fields is set.
    package struct Reply: Codable, Sendable, Equatable {
        package var snapshot: Picture?
        /// The stream that is followed from now on.
        package var following: UInt64?
        package var events: Events?
        package var recording: Recording?
        package var problem: Problem?

        package init(
            snapshot: Picture? = nil, following: UInt64? = nil, events: Events? = nil, recording: Recording? = nil,
            problem: Problem? = nil
        ) {
            (self.snapshot, self.following, self.events) = (snapshot, following, events)
            (self.recording, self.problem) = (recording, problem)
        }
    }

    /// A snapshot, and when it was taken.
    package struct Picture: Codable, Sendable, Equatable {
        package var nodes: [StreamGraph.Node]
        package var waits: [StreamGraph.Wait]
        package var warnings: [StreamGraph.Warning]
        /// In seconds, by a clock that starts with the server.
        package var time: Double
        /// How many nodes there were. ``nodes`` has fewer if there were more than the server sends.
        package var total: Int

        package init(_ graph: StreamGraph.Snapshot, time: Double) {
            (nodes, waits, warnings) = (graph.nodes, graph.waits, graph.warnings)
            (self.time, total) = (time, graph.nodes.count)
        }

        /// The same with at most `limit` nodes: those that look wrong, that something waits for, or that hold values,
        /// and then the oldest.
        package func cut(to limit: Int) -> Picture {
            if nodes.count <= limit { return self }
            let suspicious = Set(warnings.compactMap(\.node) + waits.compactMap(\.node))
            let first = nodes.filter { suspicious.contains($0.id) || ($0.buffer?.depth ?? 0) > 0 }.prefix(limit)
            let known = Set(first.map(\.id))
            let rest = nodes.lazy.filter { !known.contains($0.id) }.prefix(limit - first.count)
            var result = self
            result.nodes = (Array(first) + rest).sorted { $0.id < $1.id }
            return result
        }
    }

    /// Events of the stream that is followed.
    package struct Events: Codable, Sendable, Equatable {
        package struct Item: Codable, Sendable, Equatable {
            package enum Kind: String, Codable, Sendable {
                case next, error, completed, interrupted
            }

            package var kind: Kind
            /// In seconds, by the clock of ``Picture/time``.
            package var time: Double
            /// The value or the error, if the server shows it.
            package var text: String?

            package init(kind: Kind, time: Double, text: String? = nil) {
                (self.kind, self.time, self.text) = (kind, time, text)
            }
        }

        package var node: UInt64
        package var items: [Item]
        /// How many events before these were not sent, because the viewer was too slow.
        package var dropped: Int

        package init(node: UInt64, items: [Item], dropped: Int) {
            (self.node, self.items, self.dropped) = (node, items, dropped)
        }
    }

    /// A recording of events.
    package struct Recording: Codable, Sendable, Equatable, CustomStringConvertible {
        /// The file, on the machine of the server.
        package var file: String
        package var events: Int
        package var bytes: Int
        /// Why it has ended. `nil` while it is in progress.
        package var ending: String?

        package init(file: String, events: Int, bytes: Int, ending: String?) {
            (self.file, self.events, self.bytes, self.ending) = (file, events, bytes, ending)
        }

        package var description: String {
            let count = "\(events) event\(events == 1 ? "" : "s"), \(bytes) bytes"
            guard let ending else { return "recording to \(file): \(count)" }
            return "recorded \(file): \(count), \(ending)"
        }
    }

    /// Why a request was not carried out.
    package struct Problem: Codable, Sendable, Equatable {
        package enum Kind: String, Codable, Sendable {
            /// The viewer speaks another version. The server closes the connection.
            case version
            /// The line was not a request. The server closes the connection.
            case request
            /// There are too many viewers, or requests of one. The server closes the connection.
            case busy
            /// The stream cannot be followed.
            case stream
            /// There is no such recording.
            case recording
        }

        package var kind: Kind
        package var text: String

        package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
    }
}

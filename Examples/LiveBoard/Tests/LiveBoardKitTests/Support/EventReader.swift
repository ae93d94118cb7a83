import Foundation
import LiveBoardKit
import ServerKitTesting

/// One message of an event stream, or a comment.
struct Message: Equatable, Sendable {
    var id: String?
    var event: String?
    var data: String?
    var retry: String?
    var comment: String?

    /// Parses the lines of one message as the standard defines.
    init?(_ lines: [String]) {
        guard !lines.isEmpty else { return nil }
        for line in lines {
            if line.hasPrefix(":") {
                comment = String(line.dropFirst(2))
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? String(parts[1]) : ""
            if value.hasPrefix(" ") { value.removeFirst() }
            switch parts[0] {
            case "id": id = value
            case "event": event = value
            case "data": data = data.map { $0 + "\n" + value } ?? value
            case "retry": retry = value
            default: break
            }
        }
    }

    var change: BoardEvent? {
        guard event == "change", let data else { return nil }
        return try? JSONDecoder().decode(BoardEvent.self, from: Data(data.utf8))
    }

    var snapshot: Snapshot? {
        guard event == "snapshot", let data else { return nil }
        return try? JSONDecoder().decode(Snapshot.self, from: Data(data.utf8))
    }
}

/// Reads an event stream. Its methods block. Use it from one thread at a time.
final class EventReader: @unchecked Sendable {
    // Sendable: as Wire is.
    let head: Answer
    let wire: Wire
    private var text: [UInt8] = []
    private var isOver = false

    init(port: Int, query: String = "", headers: [String: String] = [:], receiveBuffer: Int32? = nil) throws {
        wire = try Wire(port: port, receiveBuffer: receiveBuffer)
        wire.send(Answer.request("GET", "/events\(query)", headers: headers))
        guard let head = try Answer(headOf: wire) else { throw Missing(what: "an answer") }
        self.head = head
    }

    /// The next event other than `watchers`; nil at the end of the stream.
    func next() throws -> Message? {
        while let message = try nextOfAny() {
            if message.event != nil, message.event != "watchers" { return message }
        }
        return nil
    }

    /// The next message or comment; nil at the end.
    func nextOfAny() throws -> Message? {
        while true {
            if let end = Self.end(in: text) {
                let lines = String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
                text.removeFirst(end + 2)
                if let message = Message(lines) { return message }
                continue
            }
            guard try readChunk() else { return nil }
        }
    }

    /// The sequence numbers of the next changes. Stops at any other message.
    func changes(_ count: Int) throws -> [Int] {
        var numbers: [Int] = []
        while numbers.count < count, let message = try next(), let change = message.change {
            numbers.append(change.sequence)
        }
        return numbers
    }

    /// Reads until the number of clients is `watchers`.
    func readUntil(watchers: Int) throws {
        while let message = try nextOfAny() {
            if message.event == "watchers", message.data == "\(watchers)" { return }
        }
        throw Missing(what: "\(watchers) watchers")
    }

    private static func end(in text: [UInt8]) -> Int? {
        guard text.count > 1 else { return nil }
        return (1..<text.count).first { text[$0] == 0x0A && text[$0 - 1] == 0x0A }.map { $0 - 1 }
    }

    private func readChunk() throws -> Bool {
        if isOver { return false }
        guard let line = try wire.line(), let length = Int(line, radix: 16), length > 0 else {
            isOver = true
            return false
        }
        text += try wire.bytes(length)
        _ = try wire.line()
        return true
    }
}

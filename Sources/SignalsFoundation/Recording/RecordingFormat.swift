import Foundation
import HotSignals

/// The format of a recording: JSON, one object in each line.
///
/// ```text
/// {"format":"ReactiveSignals recording","version":1,"began":"2026-11-24T09:30:00.000Z","unit":"ns"}
/// {"stream":0,"name":"orders"}
/// {"time":0,"stream":0,"next":{"id":17}}
/// {"time":1250000,"stream":0,"error":{"code":3}}
/// {"time":2000000,"end":"stopped"}
/// ```
///
/// Times are nanoseconds since the beginning of the recording, and never decrease. An event is `next` or `error` with
/// a value, or `completed` or `interrupted`, which are true. `lost` instead of them says why a value or an error could
/// not be encoded. The last line says why the recording has ended. Without it, the file is cut off.
enum RecordingFormat {
    static let name = "ReactiveSignals recording"
    static let version = 1

    /// The text for numbers that JSON does not have.
    private static let infinities = ("inf", "-inf", "nan")

    /// Encodes values. Thread-safe, because nothing changes its settings.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        // Equal values make equal lines, so that two recordings can be compared.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinities.0, negativeInfinity: infinities.1, nan: infinities.2)
        return encoder
    }()

    static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinities.0, negativeInfinity: infinities.1, nan: infinities.2)
        return decoder
    }

    // MARK: Lines

    static func header(began date: Date) -> String {
        let date = date.ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return "{\"format\":\"\(name)\",\"version\":\(version),\"began\":\"\(date)\",\"unit\":\"ns\"}\n"
    }

    static func stream(_ number: Int, named name: String) -> String {
        "{\"stream\":\(number),\"name\":\(encoded(name))}\n"
    }

    /// A line of an event, in front of what ``content(of:)`` returns.
    static func prefix(time: Int, stream: Int) -> String { "{\"time\":\(time),\"stream\":\(stream)," }

    static func footer(time: Int, _ reason: String) -> String { "{\"time\":\(time),\"end\":\(encoded(reason))}\n" }

    /// The longest line that ``footer(time:_:)`` returns for a reason of this library.
    static let longestFooter = 64

    /// The part of an event's line behind its time and stream. Calls code of the user's.
    static func content<Value: Encodable, Failure: Encodable>(of event: Event<Value, Failure>) -> Data {
        do {
            switch event {
            case .next(let value): return content("next", try encoder.encode(value))
            case .error(let error): return content("error", try encoder.encode(error))
            case .completed: return content("completed", Data("true".utf8))
            case .interrupted: return content("interrupted", Data("true".utf8))
            }
        } catch {
            return content("lost", Data(encoded(reason(for: error)).utf8))
        }
    }

    private static func content(_ kind: String, _ value: Data) -> Data {
        var content = Data(capacity: kind.utf8.count + value.count + 5)
        content.append(contentsOf: "\"\(kind)\":".utf8)
        content.append(value)
        content.append(contentsOf: "}\n".utf8)
        return content
    }

    /// A string as a JSON value.
    private static func encoded(_ text: String) -> String {
        // A string can always be encoded.
        (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// What an error of an encoder or a decoder says, in one line.
    static func reason(for error: any Error) -> String {
        let context: (codingPath: [any CodingKey], debugDescription: String)
        switch error {
        case EncodingError.invalidValue(_, let invalid): context = (invalid.codingPath, invalid.debugDescription)
        case DecodingError.typeMismatch(_, let mismatch): context = (mismatch.codingPath, mismatch.debugDescription)
        case DecodingError.valueNotFound(_, let missing): context = (missing.codingPath, missing.debugDescription)
        case DecodingError.keyNotFound(_, let missing): context = (missing.codingPath, missing.debugDescription)
        case DecodingError.dataCorrupted(let corrupted): context = (corrupted.codingPath, corrupted.debugDescription)
        default: return "\(error)"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}

/// A line of a recording, as it is read for one of its streams.
enum RecordingLine<Value: Decodable & Sendable, Failure: Decodable & Error>: Sendable {
    case header(format: String, version: Int)
    case stream(Int, name: String)
    case event(time: Int, Event<Value, Failure>)
    /// The value or the error of an event of the stream is missing, for a reason.
    case lost(String)
    /// An event of another stream, which is not decoded.
    case other
    case end(time: Int)
}

/// A value or an error has another type than the one that it is read as.
struct MismatchInLine: Error {
    let reason: String
}

extension CodingUserInfoKey {
    /// The number of the stream whose events are decoded.
    static let recordedStream: CodingUserInfoKey = {
        // Fails for no string.
        CodingUserInfoKey(rawValue: "ReactiveSignals.recordedStream").unsafelyUnwrapped
    }()
}

extension RecordingLine: Decodable {
    private enum Key: String, CodingKey {
        case format, version, stream, name, time, next, error, completed, interrupted, lost, end
    }

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        guard line.contains(.time) else {
            if let format = try line.decodeIfPresent(String.self, forKey: .format) {
                self = .header(format: format, version: try line.decode(Int.self, forKey: .version))
            } else {
                self = .stream(
                    try line.decode(Int.self, forKey: .stream), name: try line.decode(String.self, forKey: .name))
            }
            return
        }
        let time = try line.decode(Int.self, forKey: .time)
        guard time >= 0 else {
            throw DecodingError.dataCorruptedError(forKey: .time, in: line, debugDescription: "negative")
        }
        if line.contains(.end) {
            self = .end(time: time)
        } else if try line.decode(Int.self, forKey: .stream) != decoder.userInfo[.recordedStream] as? Int {
            self = .other
        } else if line.contains(.next) {
            self = .event(time: time, .next(try Self.decode(.next, in: line)))
        } else if line.contains(.error) {
            self = .event(time: time, .error(try Self.decode(.error, in: line)))
        } else if line.contains(.completed) {
            self = .event(time: time, .completed)
        } else if line.contains(.interrupted) {
            self = .event(time: time, .interrupted)
        } else {
            self = .lost(try line.decode(String.self, forKey: .lost))
        }
    }

    private static func decode<Content: Decodable>(
        _ key: Key, in line: KeyedDecodingContainer<Key>
    ) throws -> Content {
        do {
            return try line.decode(Content.self, forKey: key)
        } catch {
            throw MismatchInLine(reason: RecordingFormat.reason(for: error))
        }
    }
}

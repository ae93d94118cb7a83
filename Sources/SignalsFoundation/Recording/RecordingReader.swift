import ColdProducers
import Foundation
import HotSignals

/// Reads the events of one stream from a recording, one line at a time. Closes the file when it is released.
struct RecordingReader<Value: Decodable & Sendable, Failure: Decodable & Error>: Sendable {
    private static var chunk: Int { 65_536 }

    private let file: ReadableFile
    private let decoder = RecordingFormat.makeDecoder()
    private var splitter = LineSplitter()
    private var hasEnded = false
    /// The number of the line that was read last.
    private var line = 0
    private let stream: RecordedStream.Selection
    /// The number of streams with the name that is searched for.
    private var namesakes = 0

    /// Opens the file, and reads the first line.
    init(_ url: URL, _ stream: RecordedStream) throws(RecordingError) {
        self.stream = stream.selection
        do throws(SystemError) {
            file = try ReadableFile(url)
        } catch {
            throw .file(error)
        }
        let header: RecordingLine<Value, Failure>?
        do throws(RecordingError) {
            header = try nextLine()
        } catch {
            if case .file = error { throw error }
            throw .notARecording
        }
        guard case .header(RecordingFormat.name, let version)? = header else { throw .notARecording }
        guard version == RecordingFormat.version else { throw .version(version) }
    }

    /// Returns the next event, and when it was recorded.
    ///
    /// A recording that ends before its stream does interrupts it.
    mutating func next() throws(RecordingError) -> (time: Int, event: Event<Value, Failure>) {
        while let content = try nextLine() {
            switch content {
            case .event(let time, let event): return (time, event)
            case .lost(let reason): throw .notEncoded(line: line, reason: reason)
            case .other: continue
            case .stream(let number, let name): select(number, name)
            case .end(let time):
                if decoder.userInfo[.recordedStream] == nil { throw .noSuchStream }
                return (time, .interrupted)
            case .header: throw .malformed(line: line)
            }
        }
        throw .truncated(afterLine: line)
    }

    /// Decodes the events of a stream from now on if it is the one that is searched for.
    private mutating func select(_ number: Int, _ name: String) {
        let isWanted: Bool
        switch stream {
        case .number(let wanted): isWanted = number == wanted
        case .name(let wanted, let start):
            isWanted = name == wanted && namesakes == start
            if name == wanted { namesakes += 1 }
        }
        if isWanted { decoder.userInfo[.recordedStream] = number }
    }

    /// Reads the next line, or returns `nil` at the end of the file and in front of a line that is not complete.
    private mutating func nextLine() throws(RecordingError) -> RecordingLine<Value, Failure>? {
        while true {
            if let bytes = splitter.takeLine() {
                line += 1
                return try decoded(bytes)
            }
            if hasEnded { return nil }
            let chunk: Data
            do throws(SystemError) {
                chunk = try readFile(file.descriptor, upTo: Self.chunk)
            } catch {
                throw .file(error)
            }
            hasEnded = chunk.isEmpty
            splitter.append(chunk)
        }
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) throws(RecordingError) -> RecordingLine<Value, Failure> {
        if let line = decodedAsWritten(bytes) { return line }
        do {
            return try decoder.decode(RecordingLine<Value, Failure>.self, from: Data(bytes))
        } catch let mismatch as MismatchInLine {
            throw .mismatch(line: line, reason: mismatch.reason)
        } catch {
            throw .malformed(line: line)
        }
    }
}

extension RecordingReader {
    /// Decodes the line of a value that is written as ``RecordingFormat`` writes it: most lines of a recording. That
    /// takes a fraction of the time, because the decoder reads only the value, and nothing of other streams.
    ///
    /// - Returns: `nil` if the line is written otherwise, or is not valid.
    private func decodedAsWritten(_ bytes: ArraySlice<UInt8>) -> RecordingLine<Value, Failure>? {
        let parts = bytes.withUnsafeBytes { bytes -> (time: Int, stream: Int, value: Data?)? in
            var cursor = LineCursor(bytes)
            guard let time = cursor.takeNumber(behind: "{\"time\":"),
                let stream = cursor.takeNumber(behind: ",\"stream\":")
            else { return nil }
            return (time, stream, cursor.take(",\"next\":") ? cursor.restInFrontOfBrace : nil)
        }
        guard let parts else { return nil }
        guard parts.stream == decoder.userInfo[.recordedStream] as? Int else { return .other }
        guard let value = parts.value, let value = try? decoder.decode(Value.self, from: value) else { return nil }
        return .event(time: parts.time, .next(value))
    }
}

/// Reads the bytes of a line from its beginning.
private struct LineCursor {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// What is left, without the brace at its end, or `nil` if there is none.
    var restInFrontOfBrace: Data? { rest.last == UInt8(ascii: "}") ? Data(rest.dropLast()) : nil }

    /// Takes a text, if it comes next.
    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard rest.count >= count, let base = rest.baseAddress, memcmp(base, text.utf8Start, count) == 0 else {
            return false
        }
        rest = UnsafeRawBufferPointer(start: base + count, count: rest.count - count)
        return true
    }

    /// Takes a text and a number behind it, as JSON writes numbers that are not negative.
    mutating func takeNumber(behind text: StaticString) -> Int? {
        guard take(text) else { return nil }
        var (number, count) = (0, 0)
        while count < rest.count, rest[count] >= UInt8(ascii: "0"), rest[count] <= UInt8(ascii: "9") {
            // Any number of 18 digits fits, and the first one of several is not 0.
            if count > 0, number == 0 || count == 18 { return nil }
            number = number * 10 + Int(rest[count] - UInt8(ascii: "0"))
            count += 1
        }
        if count == 0 { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        return number
    }
}

/// A file that has been opened for reading.
private final class ReadableFile: Sendable {
    let descriptor: Int32

    init(_ url: URL) throws(SystemError) { descriptor = try openFile(url, O_RDONLY) }

    deinit { close(descriptor) }
}

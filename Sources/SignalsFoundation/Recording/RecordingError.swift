public import ColdProducers

/// Why a recording cannot be written or replayed.
public enum RecordingError: Error, Hashable, Sendable {
    /// The file cannot be created, written, opened or read.
    case file(SystemError)
    /// The file does not begin with the first line of a recording.
    case notARecording
    /// The file has a version of the format that this library does not read.
    case version(Int)
    /// A line is not one of a recording. Lines are counted from 1.
    case malformed(line: Int)
    /// A line has a value or an error of another type.
    case mismatch(line: Int, reason: String)
    /// A value or an error could not be encoded, so it is missing in a line.
    case notEncoded(line: Int, reason: String)
    /// The recording has no such stream.
    case noSuchStream
    /// The file ends in the middle of the recording: the process has ended, or is still recording.
    ///
    /// The stream had not ended in the lines before that, which are complete.
    case truncated(afterLine: Int)
}

extension RecordingError: CustomStringConvertible {
    /// What is wrong, and in which line.
    public var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .notARecording: "the file is not a recording"
        case .version(let version): "the recording has version \(version) of the format, which is not supported"
        case .malformed(let line): "line \(line) is not one of a recording"
        case .mismatch(let line, let reason): "line \(line) has another type: \(reason)"
        case .notEncoded(let line, let reason): "line \(line) lacks what could not be encoded: \(reason)"
        case .noSuchStream: "the recording has no such stream"
        case .truncated(let line): "the recording is cut off after line \(line)"
        }
    }
}

/// Why a replayed stream has failed: see
/// ``ColdProducers/SignalProducer/replaying(contentsOf:as:failingWith:stream:)``.
public enum ReplayError<Recorded: Error>: Error {
    /// The stream failed when it was recorded.
    case recorded(Recorded)
    /// The recording cannot be replayed further.
    case recording(RecordingError)
}

extension ReplayError: Equatable where Recorded: Equatable {}

extension ReplayError: Hashable where Recorded: Hashable {}

extension ReplayError: CustomStringConvertible {
    /// The description of the error.
    public var description: String {
        switch self {
        case .recorded(let error): "\(error)"
        case .recording(let error): "\(error)"
        }
    }
}

/// Which stream of a recording to replay. A recording has a stream for each signal, and for each start of a producer.
public struct RecordedStream: Hashable, Sendable {
    enum Selection: Hashable, Sendable {
        case number(Int)
        case name(String, start: Int)
    }

    let selection: Selection

    /// The stream whose event was recorded first.
    public static let first = number(0)

    /// A stream with the number that its lines have. The first one has 0.
    public static func number(_ number: Int) -> RecordedStream { RecordedStream(selection: .number(number)) }

    /// A stream with a name, which is that of the signal or producer to which `recordEvents(to:)` was applied.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - start: Selects one of several streams with the name, such as the starts of a producer. The one whose event
    ///     was recorded first has 0.
    public static func named(_ name: String, start: Int = 0) -> RecordedStream {
        RecordedStream(selection: .name(name, start: start))
    }
}

import HotSignals
import ReactiveSignals

/// What a stream sends, and when, drawn as a line of text.
///
///     --a-(bc)-[12]|
///
/// Each character is a frame of time, a second long unless it is said otherwise:
///
/// | text | meaning |
/// |---|---|
/// | `-` | nothing happens in this frame |
/// | `a`, `7` | a value: see ``MarbleValues`` |
/// | `[12]`, `[-5]`, `[X]` | a value whose word is what stands in the brackets; one frame |
/// | `\|` | the stream completes |
/// | `X` or `#` | it fails |
/// | `!` | it is interrupted |
/// | `(ab\|)` | all of these at once, in this order; the whole group is one frame. A minus in it is the sign of the digit behind it |
/// | space | nothing, and takes no time: to align diagrams |
///
/// The first character is the present. After the end only `-` and spaces may follow. Anything else is malformed, and is said to be
/// with the column where that begins.
public struct Marbles<Value: Sendable, Failure: Error>: Sendable {
    /// The text that this was read from.
    public let text: String
    /// How long a character takes.
    public let frame: Duration
    /// What happens, at moments counted from the first character.
    public let events: [TimedEvent<Value, Failure>]
    /// What the values of `events` are called: nil for a terminal event.
    let words: [String?]

    /// Reads a diagram.
    ///
    /// - Parameters:
    ///   - text: See ``Marbles``.
    ///   - frame: How long a character takes; traps unless it is positive.
    ///   - values: What the words stand for.
    ///   - error: What `X` and `#` stand for.
    /// - Throws: An error that points at the column, if the text is malformed, a word stands for nothing, or there is an `X` without an
    ///   `error`.
    public init(
        _ text: String, frame: Duration = .seconds(1), values: MarbleValues<Value>, error: Failure? = nil
    ) throws(MarbleSyntaxError) {
        require(frame > .zero, "Marbles(frame: \(frame)): the frame must be positive")
        var events: [TimedEvent<Value, Failure>] = []
        var words: [String?] = []
        for item in try MarbleParser.parse(text).items {
            let event: Event<Value, Failure>
            var word: String?
            switch item.mark {
            case .word(let name):
                guard let value = values.value(name) else {
                    throw MarbleSyntaxError(text: text, column: item.column, reason: "no value for `\(name)`")
                }
                event = .next(value)
                word = name
            case .completed: event = .completed
            case .interrupted: event = .interrupted
            case .failed:
                guard let error else {
                    throw MarbleSyntaxError(
                        text: text, column: item.column, reason: "the stream cannot fail, as no error is given")
                }
                event = .error(error)
            }
            events.append(TimedEvent(event, at: TestScheduler.Instant(offset: frame * item.frame)))
            words.append(word)
        }
        self.text = text
        self.frame = frame
        self.events = events
        self.words = words
    }
}

extension Marbles where Value: LosslessStringConvertible {
    /// Reads a diagram whose words stand for what they say: see ``init(_:frame:values:error:)``.
    public init(
        _ text: String, frame: Duration = .seconds(1), error: Failure? = nil
    ) throws(MarbleSyntaxError) {
        try self.init(text, frame: frame, values: .literal, error: error)
    }
}

// A stream that cannot fail, for the compiler to infer.
extension Marbles where Failure == Never {
    /// Reads a diagram of a stream that cannot fail: see ``init(_:frame:values:error:)``.
    public init(
        _ text: String, frame: Duration = .seconds(1), values: MarbleValues<Value>
    ) throws(MarbleSyntaxError) {
        try self.init(text, frame: frame, values: values, error: nil)
    }
}

extension Marbles where Value: LosslessStringConvertible, Failure == Never {
    /// Reads a diagram of a stream that cannot fail, whose words stand for what they say: see ``init(_:frame:values:error:)``.
    public init(_ text: String, frame: Duration = .seconds(1)) throws(MarbleSyntaxError) {
        try self.init(text, frame: frame, values: .literal, error: nil)
    }
}

extension Marbles {
    /// Reads a diagram that is part of a test's source: traps where that would throw.
    static func trapping(_ read: () throws(MarbleSyntaxError) -> Marbles) -> Marbles {
        do { return try read() } catch { fatalError("\(error)") }
    }
}

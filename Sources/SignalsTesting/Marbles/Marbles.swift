import HotSignals
import ReactiveSignals

/// A marble diagram: what a stream sends, and when, as a line of text.
///
/// ```swift
/// let marbles = try Marbles<String, Never>("--a-(bc)-[12]|")
/// ```
///
/// Each character is a frame of time, one second unless you choose another length:
///
/// | text | meaning |
/// |---|---|
/// | `-` | a frame without events |
/// | `a`, `7` | a value: see ``MarbleValues`` |
/// | `t`, `f` | true and false, unless you pass values of your own |
/// | `[12]`, `[-5]`, `[X]` | a value whose word is the text in the brackets; one frame |
/// | `\|` | completion |
/// | `X` or `#` | an error |
/// | `!` | an interruption |
/// | `(ab\|)` | several events at the same time, in this order; one frame. Inside, `-` is the sign of a digit |
/// | space | ignored, and takes no time: use it to align diagrams |
///
/// The first character is the present. After the terminal event only `-` and spaces can follow. Any other text is
/// malformed, and the error states the column.
public struct Marbles<Value: Sendable, Failure: Error>: Sendable {
    /// The text of the diagram.
    public let text: String
    /// The length of a frame.
    public let frame: Duration
    /// The events, with times counted from the first character.
    public let events: [TimedEvent<Value, Failure>]
    /// The words of the values in `events`. `nil` for a terminal event.
    let words: [String?]
    /// The words that the diagram could have used, if they are known.
    let entries: [(word: String, value: Value)]

    /// Parses a diagram.
    ///
    /// - Parameters:
    ///   - text: The diagram: see ``Marbles``.
    ///   - frame: The length of a frame. Traps unless positive.
    ///   - values: The values that the words represent.
    ///   - error: The error that `X` and `#` represent.
    ///   - file: The file that an error or a trap names.
    ///   - line: The line that an error or a trap names.
    /// - Throws: An error that states the column, if the text is malformed, a word has no value, or there is an `X`
    ///   without an `error`.
    public init(
        _ text: String, frame: Duration = .seconds(1), values: MarbleValues<Value>, error: Failure? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(MarbleSyntaxError) {
        require(frame > .zero, "Marbles(frame: \(frame)): the frame must be positive", file: file, line: line)
        func failure(_ reason: String, at column: Int) -> MarbleSyntaxError {
            MarbleSyntaxError(text: text, column: column, reason: reason, location: "\(file):\(line)")
        }
        let items: [MarbleParser.Item]
        do { items = try MarbleParser.parse(text).items } catch { throw failure(error.reason, at: error.column) }
        var events: [TimedEvent<Value, Failure>] = []
        var words: [String?] = []
        for item in items {
            let event: Event<Value, Failure>
            var word: String?
            switch item.mark {
            case .word(let name):
                guard let value = values.value(name) else {
                    let reason = "no value for `\(name)`: pass it in `values: [\"\(name)\": ...]`"
                    throw failure(reason, at: item.column)
                }
                event = .next(value)
                word = name
            case .completed: event = .completed
            case .interrupted: event = .interrupted
            case .failed:
                guard let error else {
                    throw failure("the stream cannot fail, because no error is given", at: item.column)
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
        entries = values.entries
    }
}

extension Marbles where Value: LosslessStringConvertible {
    /// Parses a diagram whose words represent themselves: see ``init(_:frame:values:error:file:line:)``.
    public init(
        _ text: String, frame: Duration = .seconds(1), error: Failure? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(MarbleSyntaxError) {
        try self.init(text, frame: frame, values: .literal, error: error, file: file, line: line)
    }
}

// Initializers that let the compiler infer that the stream cannot fail.
extension Marbles where Failure == Never {
    /// Parses a diagram of a stream that cannot fail: see ``init(_:frame:values:error:file:line:)``.
    public init(
        _ text: String, frame: Duration = .seconds(1), values: MarbleValues<Value>,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(MarbleSyntaxError) {
        try self.init(text, frame: frame, values: values, error: nil, file: file, line: line)
    }
}

extension Marbles where Value: LosslessStringConvertible, Failure == Never {
    /// Parses a diagram of a stream that cannot fail, whose words represent themselves: see
    /// ``init(_:frame:values:error:file:line:)``.
    public init(
        _ text: String, frame: Duration = .seconds(1), file: StaticString = #fileID, line: UInt = #line
    ) throws(MarbleSyntaxError) {
        try self.init(text, frame: frame, values: .literal, error: nil, file: file, line: line)
    }
}

extension Marbles {
    /// Reads a diagram in the source of a test. Traps if it is malformed.
    static func trapping(
        file: StaticString, line: UInt, _ read: () throws(MarbleSyntaxError) -> Marbles
    ) -> Marbles {
        do {
            return try read()
        } catch {
            var error = error
            // The trap states the location itself.
            error.location = nil
            fatalError("\(error)", file: file, line: line)
        }
    }
}

import ReactiveSignals

/// The values that the words of a marble diagram represent.
///
/// ```swift
/// scheduler.signal("--a-b|", values: ["a": 1, "b": 2])
/// ```
public struct MarbleValues<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
    let value: @Sendable (String) -> Value?
    /// The words and their values, sorted by word, if they are known.
    let entries: [(word: String, value: Value)]

    /// Creates values that a closure looks up.
    ///
    /// - Parameter value: Receives the letter or digit, or the text in square brackets. Returns `nil` for a word
    ///   without a value.
    public init(_ value: @escaping @Sendable (String) -> Value?) {
        self.value = value
        entries = []
    }

    /// Creates values from a dictionary.
    public init(_ values: [String: Value]) {
        value = { values[$0] }
        entries = values.sorted { $0.key < $1.key }.map { (word: $0.key, value: $0.value) }
    }

    /// Creates values from a dictionary literal. If a word occurs twice, the last value is used.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension MarbleValues where Value: LosslessStringConvertible {
    /// Each word represents itself: `7` the number, `a` the string or character. `t` and `f` are true and false.
    public static var literal: MarbleValues {
        MarbleValues { word in Value(word) ?? MarbleWord.condition(word) as? Value }
    }
}

/// The words of values for which a diagram has none.
enum MarbleWord {
    /// The Boolean that `t` or `f` represents.
    static func condition(_ word: String) -> Bool? {
        switch word {
        case "t": true
        case "f": false
        default: nil
        }
    }

    /// Returns the word of a value. A Boolean is `t` or `f`, and an optional is its content or `nil`.
    static func of(_ value: some Any) -> String {
        switch value {
        case let value as any OptionalWord: value.word
        case let value as Bool: value ? "t" : "f"
        default: "\(value)"
        }
    }
}

/// An optional of any type.
private protocol OptionalWord {
    var word: String { get }
}

extension Optional: OptionalWord {
    fileprivate var word: String { map { MarbleWord.of($0) } ?? "nil" }
}

import ReactiveSignals

/// What the words of a marble diagram stand for.
///
///     scheduler.signal("--a-b|", values: ["a": 1, "b": 2])
public struct MarbleValues<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
    let value: @Sendable (String) -> Value?

    /// The values of the words of a diagram, found by a closure.
    ///
    /// - Parameter value: Gets the letter or digit, or what stands in square brackets; nil for a word that stands for nothing.
    public init(_ value: @escaping @Sendable (String) -> Value?) { self.value = value }

    /// The values of the words of a diagram, in a dictionary.
    public init(_ values: [String: Value]) { self.init { values[$0] } }

    /// The values of the words of a diagram. Of a word that is there twice the last value counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension MarbleValues where Value: LosslessStringConvertible {
    /// Each word stands for what it says: `7` for the number, `a` for the string or the character.
    public static var literal: MarbleValues { MarbleValues { Value($0) } }
}

/// A marble diagram that says nothing that can be understood.
public struct MarbleSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The diagram.
    public let text: String
    /// Where it goes wrong: the first character is in column 1.
    public let column: Int
    /// What is wrong there.
    public let reason: String

    package init(text: String, column: Int, reason: String) {
        self.text = text
        self.column = column
        self.reason = reason
    }

    /// The reason, and the diagram with a mark under the column.
    public var description: String {
        """
        marbles, column \(column): \(reason)
            \(text)
            \(String(repeating: " ", count: column - 1))^
        """
    }
}

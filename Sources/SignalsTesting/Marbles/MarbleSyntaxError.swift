/// The error of a malformed marble diagram.
public struct MarbleSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The diagram.
    public let text: String
    /// The column of the error, beginning at 1.
    public let column: Int
    /// What is wrong.
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

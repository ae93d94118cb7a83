/// The error of a malformed marble diagram.
public struct MarbleSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The diagram.
    public let text: String
    /// The column of the error, beginning at 1.
    public let column: Int
    /// What is wrong.
    public let reason: String
    /// The file and line of the call that passed the diagram, as in `MonitorTests/AlertsTests.swift:12`. `nil` in the
    /// message of a trap, which names both itself.
    public internal(set) var location: String?

    package init(text: String, column: Int, reason: String, location: String? = nil) {
        self.text = text
        self.column = column
        self.reason = reason
        self.location = location
    }

    /// The location, the reason, and the diagram with a mark under the column.
    public var description: String {
        """
        \(location.map { "\($0): " } ?? "")marbles, column \(column): \(reason)
            \(text)
            \(String(repeating: " ", count: column - 1))^
        """
    }
}

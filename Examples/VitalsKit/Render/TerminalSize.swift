/// How many characters fit on the terminal.
struct TerminalSize: Sendable, Equatable {
    var columns: Int
    var rows: Int

    /// What terminals had before they could be resized.
    static let standard = TerminalSize(columns: 80, rows: 24)
}

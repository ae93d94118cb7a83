/// How many characters fit on the terminal.
package struct TerminalSize: Sendable, Equatable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// What terminals had before they could be resized.
    package static let standard = TerminalSize(columns: 80, rows: 24)
}

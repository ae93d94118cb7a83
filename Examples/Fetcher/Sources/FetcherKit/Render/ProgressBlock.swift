/// The progress of a run as lines for a terminal.
enum ProgressBlock {
    /// At most `rows` lines, each shorter than `columns`. The last column stays free, because some terminals wrap after
    /// a character in it.
    static func lines(_ board: Board, isStopping: Bool, columns: Int, rows: Int) -> [String] {
        let room = max(1, columns - 1)
        let transfers = board.transfers
        // Reserves a row for the total, one for "and N more", and one for the cursor.
        let shown = transfers.prefix(max(0, rows - 3))
        var lines = shown.map { line($0, room: room) }
        if transfers.count > shown.count { lines.append("  and \(transfers.count - shown.count) more") }
        lines.append(total(board, isStopping: isStopping, room: room))
        return lines.map { String($0.prefix(room)) }
    }

    private static func line(_ transfer: Transfer, room: Int) -> String {
        let state: String =
            switch transfer.stage {
            case .untouched, .requesting: "waiting for a response"
            case .receiving: amount(transfer)
            case .pausing: "will retry: " + (transfer.lastError?.description ?? "").printable
            case .fetched: "done"
            case .failed(let error): error.description.printable
            }
        let tail = "  " + state + (transfer.attempts > 1 ? ", attempt \(transfer.attempts)" : "")
        let head = "  " + shortened(transfer.target.address.description.printable, to: max(10, room - tail.count - 2))
        return head + tail
    }

    private static func amount(_ transfer: Transfer) -> String {
        guard let length = transfer.length, let percentage = transfer.percentage else {
            return Format.bytes(transfer.bytes)
        }
        return "\(percentage)% of \(Format.bytes(length))"
    }

    private static func total(_ board: Board, isStopping: Bool, room: Int) -> String {
        var numbers = "\(board.done) of \(board.total), \(Format.bytes(board.bytes))"
        if board.failed > 0 { numbers += ", \(board.failed) failed" }
        if isStopping { numbers += ", finishing running requests" }
        let width = room / 3
        let full = board.total > 0 ? board.done * width / board.total : width
        let bar = "[" + String(repeating: "#", count: full) + String(repeating: "-", count: width - full) + "] "
        return bar.count + numbers.count <= room ? bar + numbers : numbers
    }

    /// The text without its middle. Both ends of a URL distinguish it from others.
    static func shortened(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        guard width > 5 else { return String(text.prefix(width)) }
        let tail = (width - 3) / 2
        return text.prefix(width - 3 - tail) + "..." + text.suffix(tail)
    }
}

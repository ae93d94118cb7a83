/// The progress of a run as lines, for output that cannot be redrawn.
enum PlainLines {
    /// The line for an update; `nil` if the update needs none.
    ///
    /// - Parameter hasFailures: Whether failures have lines. If not, only the summary lists them.
    static func line(_ transfer: Transfer, _ update: FetchUpdate, hasFailures: Bool) -> String? {
        let address = transfer.target.address.description.printable
        return switch update {
        case .requested, .responded, .received, .redirected: nil
        case .setBack(let error):
            "\(address): attempt \(transfer.attempts) failed, will retry: \(error.description.printable)"
        case .fetched: "\(address): \(Format.bytes(transfer.bytes))"
        case .failed(.stopped): nil
        case .failed where !hasFailures: nil
        case .failed(let error): "\(address): failed: \(error.description.printable)"
        }
    }

    static func progress(_ board: Board) -> String {
        let failed = board.failed > 0 ? ", \(board.failed) failed" : ""
        return
            "\(board.done) of \(board.total) done\(failed), \(board.active.count) running, \(Format.bytes(board.bytes))"
    }
}

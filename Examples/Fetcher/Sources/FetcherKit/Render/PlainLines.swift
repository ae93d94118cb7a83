/// The progress of a run as lines, for output that cannot be redrawn.
enum PlainLines {
    /// The line for an update; `nil` if the update needs none.
    static func line(_ transfer: Transfer, _ update: FetchUpdate) -> String? {
        let address = transfer.target.address.description.printable
        return switch update {
        case .requested, .responded, .received, .redirected: nil
        case .setBack(let error): "\(address): attempt \(transfer.attempts) failed: \(error.description.printable)"
        case .fetched: "\(address): \(Format.bytes(transfer.bytes))"
        case .failed(.stopped): nil
        case .failed(let error): "\(address): failed: \(error.description.printable)"
        }
    }

    static func progress(_ board: Board) -> String {
        "\(board.done) of \(board.total) done, \(board.active.count) running, \(Format.bytes(board.bytes))"
    }
}

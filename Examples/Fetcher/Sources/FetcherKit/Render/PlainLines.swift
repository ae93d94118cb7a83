/// What is told of a run where lines cannot be taken back.
enum PlainLines {
    /// The line of an update; nil for what is only of the moment.
    static func line(_ transfer: Transfer, _ update: FetchUpdate) -> String? {
        let address = transfer.target.address.description.printable
        return switch update {
        case .requested, .responded, .received, .redirected: nil
        case .setBack(let error): "\(address): attempt \(transfer.attempts) failed: \(error.description.printable)"
        case .fetched: "\(address): \(Format.bytes(transfer.bytes))"
        case .failed(.stopped): nil
        case .failed(let error): "\(address): given up: \(error.description.printable)"
        }
    }

    static func progress(_ board: Board) -> String {
        "\(board.done) of \(board.total) done, \(board.active.count) under way, \(Format.bytes(board.bytes))"
    }
}

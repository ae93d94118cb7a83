import Foundation
import NIOConcurrencyHelpers

/// What a client shows at first. Later events are changes to it.
package struct Snapshot: Codable, Equatable, Sendable {
    /// How many of the resolved incidents are in it: the latest ones.
    package static let resolvedLimit = 100

    /// That of the last event that is in it.
    package let sequence: Int
    package let counts: Counts
    /// All unresolved incidents and the latest resolved ones, in the order of their ids.
    package let incidents: [Incident]
    package let history: [BoardState.Point]

    package init(_ state: BoardState) {
        sequence = state.sequence
        counts = state.counts
        let resolved = state.incidents.filter { $0.status == .resolved }
            .sorted { ($0.resolved?.at ?? 0, $0.id) > ($1.resolved?.at ?? 0, $1.id) }
        let shown = Set(resolved.prefix(Self.resolvedLimit).map(\.id))
        incidents = state.incidents.filter { $0.status != .resolved || shown.contains($0.id) }
        history = Array(state.history.suffix(BoardState.historyLimit))
    }
}

/// The latest snapshot, so that a thousand clients that come at once do not each make one.
final class SnapshotCache: Sendable {
    struct Entry: Sendable {
        let sequence: Int
        let frame: Frame
        let json: String
    }

    private let latest = NIOLockedValueBox<Entry?>(nil)

    func entry(for state: BoardState) -> Entry {
        if let latest = latest.withLockedValue({ $0 }), latest.sequence == state.sequence { return latest }
        let snapshot = Snapshot(state)
        let entry = Entry(sequence: state.sequence, frame: Frame(snapshot), json: String(board: snapshot))
        latest.withLockedValue { latest in
            if latest.map({ $0.sequence < entry.sequence }) ?? true { latest = entry }
        }
        return entry
    }
}

extension String {
    /// A value as JSON, on one line. `<`, `>` and `&` are escaped, so that the text is inert wherever it comes to stand.
    init(board value: some Encodable) {
        // What the board consists of can always be encoded: it has no numbers that are none.
        guard let data = try? JSONEncoder.board.encode(value) else { preconditionFailure("\(value)") }
        var text = ""
        text.reserveCapacity(data.count)
        for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "<": text += "\\u003C"
            case ">": text += "\\u003E"
            case "&": text += "\\u0026"
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(scalar)
            }
        }
        self = text
    }
}

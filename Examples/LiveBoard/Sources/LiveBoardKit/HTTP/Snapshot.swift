import Foundation
import NIOConcurrencyHelpers

/// The state that a client receives first. The events that follow change it.
package struct Snapshot: Codable, Equatable, Sendable {
    /// The maximum number of resolved incidents in a snapshot. It has the latest ones.
    package static let resolvedLimit = 100

    /// The number of the last event in it.
    package let sequence: Int
    package let counts: Counts
    /// All unresolved incidents and the latest resolved ones, ordered by id.
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

/// Keeps the latest snapshot, so that it is encoded once for many clients.
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
    /// A value as JSON on one line. Escapes `<`, `>` and `&`, so that the text is harmless inside HTML.
    init(board value: some Encodable) {
        // Encoding fails only for numbers such as NaN, which the board does not have.
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

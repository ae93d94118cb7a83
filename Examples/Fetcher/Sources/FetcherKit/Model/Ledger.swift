/// What has become of every target.
package struct Ledger: Equatable, Sendable {
    /// In the order of the list.
    package private(set) var transfers: [Transfer]

    /// - Parameter targets: Numbered as ``FetchTarget/list(_:)`` does.
    package init(_ targets: [FetchTarget]) { transfers = targets.map { Transfer($0) } }

    package mutating func apply(_ update: TargetUpdate) { transfers[update.target.id].apply(update.update) }

    package var fetched: Int { transfers.count { $0.stage == .fetched } }
    package var bytes: Int { transfers.reduce(0) { $0 + ($1.stage == .fetched ? $1.bytes : 0) } }
    /// Whether nothing is missing.
    package var isComplete: Bool { fetched == transfers.count }
}

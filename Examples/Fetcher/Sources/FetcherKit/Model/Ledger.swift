/// The transfers of all targets, for the summary.
package struct Ledger: Equatable, Sendable {
    /// In the order of the list.
    package private(set) var transfers: [Transfer]

    /// - Parameter targets: Numbered as ``FetchTarget/list(_:)`` does.
    package init(_ targets: [FetchTarget]) { transfers = targets.map { Transfer($0) } }

    package mutating func apply(_ update: TargetUpdate) { transfers[update.target.id].apply(update.update) }

    package var fetched: Int { transfers.count { $0.stage == .fetched } }
    package var bytes: Int { transfers.reduce(0) { $0 + ($1.stage == .fetched ? $1.bytes : 0) } }
    /// Whether every target has been fetched.
    package var isComplete: Bool { fetched == transfers.count }
}

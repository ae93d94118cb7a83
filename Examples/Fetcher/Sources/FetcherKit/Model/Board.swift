/// The progress of a run: the running transfers, and how much is done.
///
/// Each change copies it, so its size depends on the running transfers, not on the number of targets.
package struct Board: Equatable, Sendable {
    package let total: Int
    package private(set) var fetched = 0
    package private(set) var failed = 0
    /// The bytes of complete and running responses, without those of failed attempts.
    package private(set) var bytes = 0
    /// Transfers that have started and not ended, by the id of their target.
    package private(set) var active: [Int: Transfer] = [:]

    package init(total: Int) { self.total = total }

    package var done: Int { fetched + failed }
    /// The running transfers in the order of the list.
    package var transfers: [Transfer] { active.values.sorted { $0.target.id < $1.target.id } }

    /// - Returns: The transfer after the update.
    @discardableResult
    package mutating func apply(_ update: TargetUpdate) -> Transfer {
        let id = update.target.id
        var transfer = active[id] ?? Transfer(update.target)
        let before = transfer.bytes
        transfer.apply(update.update)
        bytes += transfer.bytes - before
        switch update.update {
        case .fetched:
            fetched += 1
            active[id] = nil
        case .failed(let error):
            // A stopped target does not count as failed.
            if error != .stopped { failed += 1 }
            active[id] = nil
        default: active[id] = transfer
        }
        return transfer
    }
}

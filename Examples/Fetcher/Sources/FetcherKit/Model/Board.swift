/// What there is to see of a run: what is under way, and how much is done.
///
/// It is small, whatever the number of targets, since each change makes another one.
package struct Board: Equatable, Sendable {
    package let total: Int
    package private(set) var fetched = 0
    package private(set) var failed = 0
    /// What has come of all that is there, or on its way: not of attempts that failed.
    package private(set) var bytes = 0
    /// Begun and not ended.
    package private(set) var active: [Int: Transfer] = [:]

    package init(total: Int) { self.total = total }

    package var done: Int { fetched + failed }
    /// Under way in the order of the list.
    package var transfers: [Transfer] { active.values.sorted { $0.target.id < $1.target.id } }

    /// - Returns: How far the target has come.
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
            // What was stopped has not failed.
            if error != .stopped { failed += 1 }
            active[id] = nil
        default: active[id] = transfer
        }
        return transfer
    }
}

import ReactiveSignals
import ReactiveSignalsTesting

/// The model of a scheduler with virtual time.
final class VirtualClock {
    private struct Entry {
        var due: Int
        let interval: Int?
        /// Whether it is due when it was scheduled: then its place is clear.
        let isImmediate: Bool
        let owner: ObjectIdentifier
        let action: () -> Void
    }

    private(set) var now = 0
    /// Whether timers of two operators fell due together. Nothing says which comes first then.
    private(set) var isAmbiguous = false
    private var entries: [Entry] = []

    func schedule(after delay: Int, interval: Int? = nil, owner: AnyObject, _ action: @escaping () -> Void) {
        insert(
            Entry(
                due: now + delay, interval: interval, isImmediate: delay == 0, owner: ObjectIdentifier(owner),
                action: action))
    }

    /// Lets go of the actions that are left.
    func dismantle() { entries = [] }

    func cancel(owner: AnyObject) { entries.removeAll { $0.owner == ObjectIdentifier(owner) } }

    func advance(by duration: Int) {
        let limit = now + duration
        while let first = entries.first, first.due <= limit {
            now = first.due
            entries.removeFirst()
            isAmbiguous =
                isAmbiguous
                || !first.isImmediate
                    && entries.contains { $0.due == now && !$0.isImmediate && $0.owner != first.owner }
            if let interval = first.interval {
                var again = first
                again.due += interval
                insert(again)
            }
            first.action()
        }
        now = limit
    }

    /// Behind those that are due at the same time.
    private func insert(_ entry: Entry) {
        entries.insert(entry, at: entries.firstIndex { $0.due > entry.due } ?? entries.endIndex)
    }
}

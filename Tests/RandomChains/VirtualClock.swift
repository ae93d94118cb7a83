import ReactiveSignals
import ReactiveSignalsTesting

/// The model of a scheduler with virtual time.
final class VirtualClock {
    private struct Entry {
        var due: Int
        let interval: Int?
        /// Whether it was due when it was scheduled: its order is then determined, unless it was scheduled late.
        let isImmediate: Bool
        /// Whether the operator had queued the event before. A real operator may schedule when the event arrives.
        let isLate: Bool
        let owner: ObjectIdentifier
        let action: () -> Void

        /// Whether the order of the two is not determined, as they are due together.
        func mayPrecede(_ other: Entry) -> Bool {
            owner != other.owner && isImmediate == other.isImmediate && (!isImmediate || isLate || other.isLate)
        }
    }

    private(set) var now = 0
    /// Whether timers of two operators were due together, or immediate actions of two operators of which one was
    /// scheduled late. Their order is then not determined.
    private(set) var isAmbiguous = false
    private var entries: [Entry] = []

    func schedule(
        after delay: Int, interval: Int? = nil, isLate: Bool = false, owner: AnyObject, _ action: @escaping () -> Void
    ) {
        insert(
            Entry(
                due: now + delay, interval: interval, isImmediate: delay == 0, isLate: isLate,
                owner: ObjectIdentifier(owner), action: action))
    }

    /// Releases the remaining actions.
    func dismantle() { entries = [] }

    func cancel(owner: AnyObject) { entries.removeAll { $0.owner == ObjectIdentifier(owner) } }

    func advance(by duration: Int) {
        let limit = now + duration
        while let first = entries.first, first.due <= limit {
            now = first.due
            entries.removeFirst()
            isAmbiguous = isAmbiguous || entries.contains { $0.due == now && $0.mayPrecede(first) }
            if let interval = first.interval {
                var again = first
                again.due += interval
                insert(again)
            }
            first.action()
        }
        now = limit
    }

    /// Inserts the entry after those that are due at the same time.
    private func insert(_ entry: Entry) {
        entries.insert(entry, at: entries.firstIndex { $0.due > entry.due } ?? entries.endIndex)
    }
}

import ReactiveSignals
import ReactiveSignalsTesting

/// The model of a scheduler with virtual time.
final class VirtualClock {
    private struct Entry {
        var due: Int
        let interval: Int?
        /// Entries that are due at the same time take their turns in this order. A repeated one keeps its number.
        let number: Int
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
    private var count = 0

    func schedule(
        after delay: Int, interval: Int? = nil, isLate: Bool = false, owner: AnyObject, _ action: @escaping () -> Void
    ) {
        count += 1
        insert(
            Entry(
                due: now + delay, interval: interval, number: count, isImmediate: delay == 0, isLate: isLate,
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

    private func insert(_ entry: Entry) {
        let next = entries.firstIndex { ($0.due, $0.number) > (entry.due, entry.number) }
        entries.insert(entry, at: next ?? entries.endIndex)
    }
}

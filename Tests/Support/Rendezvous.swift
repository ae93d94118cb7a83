import Foundation
import HotSignals

/// A barrier where several threads start one round of a race together. Used for one round only.
package final class Rendezvous: Sendable {
    private let missing: AtomicWord

    package init(_ threads: Int) { missing = AtomicWord(UInt(threads)) }

    /// Whether all threads have arrived.
    package var isOver: Bool { missing.load() == 0 }

    /// Returns when all threads have called it, in all of them at almost the same time.
    package func meet() {
        while true {
            let seen = missing.load()
            if missing.compareExchangeReleasing(from: seen, to: seen - 1) { break }
        }
        // Yielding at once would cost a time slice per round on a busy machine.
        var looks = 0
        while !isOver {
            looks += 1
            if looks > 20_000 { sched_yield() }
        }
    }
}

import Foundation
import HotSignals

/// Where several threads begin one round of a race together. Made for each round.
package final class Rendezvous: Sendable {
    private let missing: AtomicWord

    package init(_ threads: Int) { missing = AtomicWord(UInt(threads)) }

    /// Whether all threads have come.
    package var isOver: Bool { missing.load() == 0 }

    /// Returns when all threads have called it, in all of them at almost the same moment.
    package func meet() {
        while true {
            let seen = missing.load()
            if missing.release(from: seen, to: seen - 1) { break }
        }
        // Giving the processor away at once would cost a turn of the scheduler for each round on a busy machine.
        var looks = 0
        while !isOver {
            looks += 1
            if looks > 20_000 { sched_yield() }
        }
    }
}

#if Explore
import HotSignals
import InterleavingExplorer
import Testing

extension AllExplorations {
    /// The lock of one word, step by step. In all other explorations it is a single step.
    @Suite("The lock of one word")
    struct LockExplorations {
        private final class Guarded: Sendable {
            let lock: WordMutex
            private let ownership = Ownership(of: "what the lock guards")

            init(on spots: ParkingLot) { lock = WordMutex(on: spots) }

            func change(_ trial: Trial) {
                lock.lock()
                ownership.write()
                trial.pause()
                ownership.write()
                lock.unlock()
            }
        }

        /// - Parameter spots: 1 for locks that share a parking spot.
        private func threads(_ threads: Int, times: Int, locks: Int = 1, spots: Int = 1) -> Scenario {
            Scenario("\(threads) threads take \(locks) locks \(times) times, with \(spots) spots") { trial in
                let spots = ParkingLot(spots)
                let guarded = (0..<locks).map { _ in Guarded(on: spots) }
                for thread in 0..<threads {
                    trial.thread { for _ in 0..<times { guarded[thread % locks].change(trial) } }
                }
            }
        }

        @Test("one thread at a time holds it, and no thread sleeps forever")
        func contention() {
            exhaust(threads(2, times: 3))
            exhaust(threads(3, times: 1))
            exhaust(threads(3, times: 2), preemptions: 1)
            exhaust(threads(3, times: 1, spots: 2))
            exhaust(threads(3, times: 2, spots: 2), preemptions: 1)
        }

        @Test("locks that share a bench wake their own threads")
        func bench() { exhaust(threads(4, times: 1, locks: 2), preemptions: 1) }

        @Test("publishes writes made under it, and wakes threads, with weak memory too")
        func weakMemory() {
            exhaust(threads(2, times: 1), staleReads: 2)
            exhaust(threads(3, times: 1), preemptions: 1, staleReads: 2)
        }
    }
}
#endif

import HotSignals
import TestSupport
import Testing

@Suite("AsymmetricFence", .watched)
struct AsymmetricFenceTests {
    private final class Round: Sendable {
        let often = AtomicWord(0)
        let seldom = AtomicWord(0)
        let rendezvous = Rendezvous(2)

        /// Without a call between the write and the read that could itself act as a fence.
        func writeOftenAndReadSeldom() -> UInt {
            often.storeAhead(1)
            return seldom.loadInOrder()
        }

        func writeSeldomAndReadOften() -> UInt {
            _ = seldom.setInOrder(1)
            AsymmetricFence.issue()
            return often.loadInOrder()
        }

        /// Loads both words into the cache, so that a store takes longer than a read. Then both threads start, at
        /// varying offsets.
        func begin(_ number: Int, _ thread: Int) {
            _ = often.load() + seldom.load()
            rendezvous.meet()
            if number % 2 == thread { for _ in 0..<(number % 64) { _ = rendezvous.isOver } }
        }
    }

    @Test("of two threads that write one word and then read the other's, at least one sees the other's write")
    func storeAndLoad() {
        guard AsymmetricFence.isAvailable else { return }
        let rounds = (0..<25_000).map { _ in Round() }
        let seen = [Log<UInt>(), Log<UInt>()]
        onThreads(2, "fence") { thread in
            for (number, round) in rounds.enumerated() {
                round.begin(number, thread)
                seen[thread].append(thread == 0 ? round.writeOftenAndReadSeldom() : round.writeSeldomAndReadOften())
            }
        }
        let missed = zip(seen[0].all, seen[1].all).count { $0 == 0 && $1 == 0 }
        expect(missed, is: 0)
    }

    @Test("can be issued by several threads at once")
    func together() {
        guard AsymmetricFence.isAvailable else { return }
        let issued = Counter()
        onThreads(4, "fence") { _ in
            for _ in 0..<1_000 {
                AsymmetricFence.issue()
                issued.increment()
            }
        }
        expect(issued.value, is: 4_000)
    }
}

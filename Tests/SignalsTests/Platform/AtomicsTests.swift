import HotSignals
import TestSupport
import Testing

@Suite("Atomics")
struct AtomicsTests {
    // Noncopyable values cannot be used inside an expectation.

    @Test("a word is replaced only if it has the expected value")
    func compareAndSwap() {
        let word = AtomicWord(1)
        let replaced = [
            word.compareExchangeAcquiring(from: 2, to: 3), word.compareExchangeAcquiring(from: 1, to: 3),
            word.compareExchangeReleasing(from: 1, to: 4),
            word.compareExchangeReleasing(from: 3, to: 4),
        ]
        expect(replaced, is: [false, true, false, true])
        let loaded = [word.load(), word.loadRelaxed()]
        expect(loaded, is: [4, 4])
    }

    @Test("set, clear and exchange return the previous word")
    func bits() {
        let word = AtomicWord(0b1010)
        let former = [word.set(0b0011), word.clear(0b1001), word.exchange(7), word.load()]
        expect(former, is: [0b1010, 0b1011, 0b0010, 7])
    }

    @Test("a flag is raised only once")
    func flag() {
        let flag = AtomicFlag()
        let results = [flag.isRaised, flag.raise(), flag.raise(), flag.isRaised]
        expect(results, is: [false, true, false, true])
        let isRaised = AtomicFlag(true).isRaised
        #expect(isRaised)
    }

    @Test("a pending count goes up and down, and never becomes empty again after it overflows")
    func counter() {
        let counter = PendingCount()
        var isEmpty = [counter.isEmpty]
        for count in [1, 254] {
            for _ in 0..<count { counter.increment() }
            isEmpty.append(counter.isEmpty)
            for _ in 0..<count { counter.decrement() }
            isEmpty.append(counter.isEmpty)
        }
        expect(isEmpty, is: [true, false, true, false, true])
        for _ in 0..<300 { counter.increment() }
        for _ in 0..<300 { counter.decrement() }
        let isStuck = !counter.isEmpty
        #expect(isStuck)
    }

    @Test("a pending count is correct on several threads")
    func pendingCountOnThreads() {
        let counter = PendingCount()
        onThreads(4, "counter") { _ in
            for _ in 0..<2_000 {
                counter.increment()
                counter.decrement()
            }
        }
        let isEmpty = counter.isEmpty
        #expect(isEmpty)
    }
}

import HotSignals
import TestSupport
import Testing

@Suite("Lock")
struct LockTests {
    @Test("guards its state, and rethrows errors")
    func guards() {
        struct Failure: Error {}
        let state = Locked(0)
        onThreads(4, "Locked") { _ in
            for _ in 0..<1_000 { state.withLock { $0 += 1 } }
        }
        expect(state.withLock { $0 }, is: 4_000)
        #expect(throws: Failure.self) { try state.withLock { _ in throw Failure() } }
        expect(state.withLock { $0 }, is: 4_000, "unlocked again")
    }

    @Test("waits on a condition until another thread changes the state")
    func waits() {
        let state = Locked(0)
        let condition = Condition()
        let waiter = TestThread("condition") {
            let seen: Int = state.withLock(waitingOn: condition) { $0 > 0 ? $0 : nil }
            expect(seen, is: 7)
        }
        waiter.waitUntilAsleep()
        state.withLock { $0 = 7 }
        condition.signal()
        waiter.join()
    }

    @Test("releases its state")
    func releases() {
        let population = Population()
        do { _ = Locked(population.member()) }
        expect(population.alive, is: 0)
    }

    @Test("gives threads distinct identities with three clear low bits")
    func identities() {
        let own = ThreadIdentity.current
        expect(own & 7, is: 0)
        expect(own, is: ThreadIdentity.current)
        let other = Locked<UInt>(0)
        TestThread("identity") {
            other.withLock { $0 = ThreadIdentity.current }
            #expect(!ThreadIdentity.isMain)
        }.join()
        #expect(other.withLock { $0 } != own)
        #expect(other.withLock { $0 } != 0)
    }

    @Test("a thread-local value is separate for each thread and released with the thread")
    func threadLocal() {
        let population = Population()
        let slot = ThreadLocal<Population.Member>()
        slot.value = population.member()
        TestThread("slot") {
            #expect(slot.value == nil)
            slot.value = population.member()
            slot.value = population.member()
            #expect(slot.value != nil)
            expect(population.alive, is: 2)
        }.join()
        expect(population.alive, is: 1)
        slot.value = nil
        #expect(slot.value == nil)
        expect(population.alive, is: 0)
    }
}

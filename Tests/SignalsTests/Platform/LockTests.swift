import Foundation
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
        let state = Waitable(0)
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

    @Test("wakes all threads that sleep until other threads release it, of several locks at a time")
    func sleeping() {
        let states = (0..<100).map { _ in Locked(0) }
        let rounds = raceRounds
        onThreads(8, "Locked, held for long") { thread in
            for round in 0..<rounds {
                // In each round, two threads take the same lock.
                states[(round + thread / 2) % states.count].withLock { state in
                    let former = state
                    // Often long enough for the other thread to sleep.
                    // check-waits: the result is the same if it does not.
                    for _ in 0..<10 { sched_yield() }
                    state = former + 1
                }
            }
        }
        expect(states.reduce(0) { $0 + $1.withLock { $0 } }, is: 8 * rounds)
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

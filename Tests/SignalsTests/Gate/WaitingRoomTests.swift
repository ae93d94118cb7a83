import HotSignals
import TestSupport
import Testing

@Suite("WaitingRoom")
struct WaitingRoomTests {
    @Test("keeps the waiters of different gates apart")
    func apart() {
        let gates = (0..<3).map { _ in Gate(contention: .wait) }
        let thread = ThreadIdentity.current
        let log = Log<Int>()
        for gate in gates { #expect(gate.enter(thread)) }
        let waiters = gates.indices.map { index in
            let waiter = TestThread("waiter \(index)") {
                let own = ThreadIdentity.current
                #expect(gates[index].enter(own))
                log.append(index)
                gates[index].leave(own)
            }
            waiter.waitUntilAsleep()
            return waiter
        }
        for index in [1, 2, 0] {
            gates[index].leave(thread)
            waiters[index].join()
        }
        expect(log.all, is: [1, 2, 0])
    }

    @Test("wakes each of many waiters of one gate once")
    func many() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let state = SinkState([Int]())
        #expect(gate.enter(thread))
        let waiters = (0..<100).map { index in
            TestThread("waiter \(index)") {
                let own = ThreadIdentity.current
                #expect(gate.enter(own))
                state.value.append(index)
                gate.leave(own)
            }
        }
        for waiter in waiters { waiter.waitUntilAsleep() }
        gate.leave(thread)
        for waiter in waiters { waiter.join() }
        expect(state.value.sorted(), is: Array(0..<100))
    }

    @Test("finds no cycle when threads wait for a thread that is running")
    func noCycle() {
        // Two threads wait for one that is running: neither closes a cycle.
        let first = Gate(contention: .wait)
        let second = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let hits = Counter()
        #expect(first.enter(thread))
        #expect(second.enter(thread))
        let waiters = [first, second].map { gate in
            let waiter = TestThread("waiter") {
                let own = ThreadIdentity.current
                #expect(gate.enter(own))
                hits.increment()
                gate.leave(own)
            }
            waiter.waitUntilAsleep()
            return waiter
        }
        second.leave(thread)
        first.leave(thread)
        for waiter in waiters { waiter.join() }
        expect(hits.value, is: 2)
    }
}

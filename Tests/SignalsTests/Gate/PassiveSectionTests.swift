import HotSignals
import TestSupport
import Testing

@Suite("Passive entries and sections")
struct PassiveSectionTests {
    @Test("a passive entry does not wait for any contention policy", arguments: [Contention.wait, .enqueue])
    func neverWaits(contention: Contention) {
        let gate = Gate(contention: contention)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(gate.enter(thread))
        TestThread("visitor") {
            let own = ThreadIdentity.current
            #expect(!gate.enterPassively(own))
            PassiveSection.run {
                #expect(!gate.enter(own))
                gate.push(DeferredWork { log.append("pushed") })
            }
        }.join()
        expect(log.all, is: [])
        gate.leave(thread)
        expect(log.all, is: ["pushed"])
        #expect(gate.enterPassively(thread))
        gate.leavePassively(thread)
        #expect(!gate.isTaken)
    }

    @Test("a section is local to its thread and ends with its outermost body")
    func sections() {
        #expect(!PassiveSection.isCurrent)
        PassiveSection.run {
            #expect(PassiveSection.isCurrent)
            PassiveSection.run { #expect(PassiveSection.isCurrent) }
            #expect(PassiveSection.isCurrent)
            TestThread("other") { #expect(!PassiveSection.isCurrent) }.join()
        }
        #expect(!PassiveSection.isCurrent)
    }

    @Test("a thread that leaves passively performs its own operations and leaves those of others", arguments: [0, 1])
    func leaving(ownFirst: Int) {
        let gate = Gate(contention: .enqueue)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        let (isPerformed, isLast) = (Latch("the other's operation"), Latch("the last operation"))
        #expect(gate.enterPassively(thread))
        for number in 0..<ownFirst {
            gate.push(DeferredWork { log.append("own \(number), \(ThreadIdentity.current == thread)") })
        }
        TestThread("sender") {
            gate.push(
                DeferredWork {
                    log.append("other, \(ThreadIdentity.current == thread)")
                    isPerformed.open()
                })
        }.join()
        gate.push(
            DeferredWork {
                log.append("last")
                isLast.open()
            })
        gate.leavePassively(thread)
        isPerformed.wait()
        isLast.wait()
        #expect(log.all == (0..<ownFirst).map { "own \($0), true" } + ["other, false", "last"])
    }

    @Test("a thread that leaves a gate in a passive section leaves the operations of others")
    func leavingInSection() {
        let gate = Gate(contention: .enqueue)
        let thread = ThreadIdentity.current
        let performer = Locked<UInt>(0)
        let isPerformed = Latch("the other's operation")
        PassiveSection.run {
            #expect(gate.enter(thread))
            TestThread("sender") {
                gate.push(
                    DeferredWork {
                        performer.withLock { $0 = ThreadIdentity.current }
                        isPerformed.open()
                    })
            }.join()
            gate.leave(thread)
        }
        isPerformed.wait()
        #expect(performer.withLock { $0 } != thread)
    }

    @Test("a waiter performs the operations left by a thread that leaves passively")
    func waiter() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        let waiterThread = Locked<UInt>(0)
        #expect(gate.enterPassively(thread))
        let waiter = TestThread("waiter") {
            let own = ThreadIdentity.current
            waiterThread.withLock { $0 = own }
            #expect(gate.enter(own))
            log.append("waiter")
            gate.leave(own)
        }
        waiter.waitUntilAsleep()
        TestThread("disposing") {
            PassiveSection.run {
                gate.push(
                    DeferredWork { log.append("left, \(ThreadIdentity.current == waiterThread.withLock { $0 })") })
            }
        }.join()
        gate.leavePassively(thread)
        waiter.join()
        expect(log.all, is: ["left, true", "waiter"])
    }

    @Test("an operation handed over instead of waiting is performed after the owner has left passively")
    func handedOver() {
        let observed = Gate(contention: .wait)
        let property = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let isPerformed = Latch("the operation that was handed over")
        #expect(property.enter(thread))
        let passive = TestThread("passive") {
            let own = ThreadIdentity.current
            PassiveSection.run {
                #expect(observed.enterPassively(own))
                // Reading waits even in a passive section.
                #expect(property.enterToRead(own))
                property.leave(own)
                observed.leavePassively(own)
            }
        }
        #expect(becomesTrue { property.hasWaiters })
        passive.waitUntilAsleep()
        // Waiting would close a cycle; the flag for waiters stays set.
        #expect(!observed.enter(thread))
        observed.push(DeferredWork { isPerformed.open() })
        property.leave(thread)
        passive.join()
        isPerformed.wait()
        // The thread that performed it leaves the gate a moment later.
        #expect(becomesTrue { !observed.isTaken })
    }

    @Test("loses no operation and performs none twice when threads enter, enter passively and push")
    func races() {
        for round in 0..<raceRounds {
            let gate = Gate(contention: round % 2 == 0 ? .wait : .enqueue)
            // Guarded by the gate.
            let performed = SinkState(0)
            let allPerformed = Latch("all operations")
            let work: @Sendable () -> Void = {
                performed.value += 1
                if performed.value == 12 { allPerformed.open() }
            }
            onThreads(3, "round \(round)") { index in
                let own = ThreadIdentity.current
                for _ in 0..<4 {
                    switch index {
                    case 0:
                        if gate.enter(own) {
                            work()
                            gate.leave(own)
                        } else {
                            gate.push(DeferredWork(work))
                        }
                    case 1:
                        PassiveSection.run {
                            if gate.enterPassively(own) {
                                work()
                                gate.leavePassively(own)
                            } else {
                                gate.push(DeferredWork(work))
                            }
                        }
                    default: gate.push(DeferredWork(work))
                    }
                }
            }
            allPerformed.wait()
        }
    }

    @Test("the inbox reports waiting operations while an earlier one is performed")
    func flagOfBatch() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<Bool>()
        #expect(gate.enter(thread))
        for _ in 0..<3 { gate.push(DeferredWork { log.append(gate.mayHaveOperations) }) }
        gate.leave(thread)
        expect(log.all, is: [true, true, false])
    }
}

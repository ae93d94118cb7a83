import HotSignals
import TestSupport
import Testing

// `settle()` is a function of the tests' own.

@Suite("settle()", .watched, .offThePool)
struct SettleTests {
    private let log = Log<Int>()

    @Test("waits for a drain on a thread of the library")
    func drain() {
        let (gate, thread, path) = (Gate(contention: .enqueue), ThreadIdentity.current, ThreadPath.current)
        #expect(gate.enterPassively(thread))
        TestThread("sender") { [log] in
            gate.push(
                DeferredWork {
                    // Until this test waits.
                    path.waitUntilAsleep()
                    log.append(1)
                })
        }.join()
        gate.leavePassively(thread)
        settle()
        expect(log.all, is: [1])
    }

    @Test("waits for ready tasks, and for those that they start or resume, but not for suspended ones")
    func tasks() {
        let path = ThreadPath.current
        let suspended = Locked<CheckedContinuation<Void, Never>?>(nil)
        LibraryTask.start { [log] in
            await withCheckedContinuation { continuation in suspended.withLock { $0 = continuation } }
            log.append(2)
        }
        LibraryTask.start { [log] in
            path.waitUntilAsleep()
            LibraryTask.start {
                path.waitUntilAsleep()
                log.append(1)
            }
        }
        settle()
        expect(log.all, is: [1])
        LibraryTask.start { suspended.withLock { $0 }?.resume() }
        settle()
        expect(log.all, is: [1, 2])
    }

    @Test("returns in all tasks when nothing but them is left")
    func several() {
        let path = Locked<ThreadPath?>(nil)
        LibraryTask.start { [log] in
            path.withLock { $0 = .current }
            settle()
            log.append(1)
        }
        // Let it see the others begin.
        #expect(becomesTrue { path.withLock { $0 } != nil })
        path.withLock { $0 }?.waitUntilAsleep()
        for number in 2...3 {
            LibraryTask.start { [log] in
                settle()
                log.append(number)
            }
        }
        // Tasks in `settle()` do not wait for each other, so this one can return first. One that has seen another
        // begin waits a second time, for this one, too.
        #expect(
            becomesTrue {
                settle()
                return Set(log.all) == [1, 2, 3]
            })
    }
}

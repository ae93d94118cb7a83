import HotSignals
import TestSupport
import Testing

@Suite("What a passive visitor leaves behind")
struct GateDrainTests {
    /// Keeps actions until it is told to run or to drop them.
    private final class KeepingScheduler: Scheduler {
        private let actions = Locked<[@Sendable () -> Void]>([])

        var count: Int { actions.withLock { $0.count } }

        func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
            actions.withLock { $0.append(action) }
            return nil
        }

        func takeAll() -> [@Sendable () -> Void] {
            actions.withLock { actions in
                defer { actions = [] }
                return actions
            }
        }
    }

    /// Drops every action.
    final class ClosedScheduler: Scheduler {
        func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { nil }
    }

    /// Visits the gate of a core with `scheduler`, while another thread pushes `operation`.
    private func visit(_ scheduler: any Scheduler, _ operation: @escaping @Sendable () -> Void) {
        let gate = Core<Int, Never>(rootNamed: StreamName("signal"), contention: .enqueue, scheduler: scheduler)
        let thread = ThreadIdentity.current
        #expect(gate.enterPassively(thread))
        TestThread("sender") { gate.push(DeferredWork(operation)) }.join()
        gate.leavePassively(thread)
    }

    @Test("is performed by an action of the scheduler, once")
    func scheduled() {
        let scheduler = KeepingScheduler()
        let log = Log<UInt>()
        visit(scheduler) { log.append(ThreadIdentity.current) }
        expect(log.all, is: [])
        #expect(scheduler.count == 1)
        let thread = TestThread("scheduler") { for action in scheduler.takeAll() { action() } }
        thread.join()
        expect(log.all.count, is: 1)
        #expect(log.all != [ThreadIdentity.current])
        #expect(scheduler.count == 0)
    }

    @Test("is performed on a thread of the library if the scheduler releases its action later")
    func released() {
        let scheduler = KeepingScheduler()
        let performed = Latch("the operation")
        let performer = Locked<UInt>(0)
        visit(scheduler) {
            performer.withLock { $0 = ThreadIdentity.current }
            performed.open()
        }
        #expect(performer.withLock { $0 } == 0)
        #expect(scheduler.takeAll().count == 1)
        performed.wait()
        #expect(performer.withLock { $0 } != ThreadIdentity.current)
    }

    @Test(
        "is performed on a thread of the library if the scheduler takes no actions, or runs them at once",
        arguments: [ClosedScheduler(), ImmediateScheduler()] as [any Scheduler])
    func notScheduled(scheduler: any Scheduler) {
        let performed = Latch("the operation")
        let performer = Locked<UInt>(0)
        visit(scheduler) {
            performer.withLock { $0 = ThreadIdentity.current }
            performed.open()
        }
        performed.wait()
        #expect(performer.withLock { $0 } != ThreadIdentity.current)
    }
}

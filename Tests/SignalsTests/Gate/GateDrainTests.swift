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

    /// Runs every action at once.
    final class InlineScheduler: Scheduler {
        func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
            action()
            return nil
        }
    }

    /// Visits a gate, while an action of `scheduler` pushes `operation`.
    private func visit(_ scheduler: any Scheduler, _ operation: @escaping @Sendable () -> Void) {
        let gate = Gate(contention: .enqueue)
        let thread = ThreadIdentity.current
        #expect(gate.enterPassively(thread))
        TestThread("sender") { DeliveryScheduler.run(on: scheduler) { gate.push(DeferredWork(operation)) } }.join()
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
        arguments: [ClosedScheduler(), InlineScheduler(), ImmediateScheduler(), TrampolineScheduler()]
            as [any Scheduler])
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

    @Test("is performed in order, each operation on the scheduler that has sent it")
    func severalSchedulers() {
        let schedulers = [KeepingScheduler(), KeepingScheduler()]
        let gate = Gate(contention: .enqueue)
        let (thread, log, running) = (ThreadIdentity.current, Log<String>(), Locked(-1))
        #expect(gate.enterPassively(thread))
        for (number, index) in [0, 0, nil, 1, nil, 0].enumerated() {
            let operation = DeferredWork { log.append("\(number) on \(running.withLock { $0 })") }
            TestThread("sender") {
                guard let index else { return gate.push(operation) }
                DeliveryScheduler.run(on: schedulers[index]) { gate.push(operation) }
            }.join()
        }
        gate.leavePassively(thread)
        // What no scheduler has sent follows on the scheduler that delivers what precedes it.
        for index in [0, 1, 0] {
            #expect(becomesTrue { schedulers[index].count == 1 })
            #expect(schedulers[1 - index].count == 0)
            let actions = schedulers[index].takeAll()
            running.withLock { $0 = index }
            TestThread("scheduler") { for action in actions { action() } }.join()
        }
        expect(log.all, is: ["0 on 0", "1 on 0", "2 on 0", "3 on 1", "4 on 1", "5 on 0"])
    }

    @Test("is performed in several actions if it is much, so that others of the scheduler run in between")
    func muchForScheduler() {
        let scheduler = KeepingScheduler()
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<Int>())
        let count = 3 * Gate.limit - 1
        #expect(gate.enterPassively(thread))
        TestThread("sender") {
            DeliveryScheduler.run(on: scheduler) {
                for number in 0..<count { gate.push(DeferredWork { log.append(number) }) }
            }
        }.join()
        gate.leavePassively(thread)
        for end in [Gate.limit, 2 * Gate.limit, count] {
            let actions = scheduler.takeAll()
            expect(actions.count, is: 1)
            for action in actions { action() }
            expect(log.all, is: Array(0..<end))
        }
        #expect(scheduler.takeAll().isEmpty)
    }

    @Test("does not wait for the scheduler of the stream if no scheduler has sent it")
    func noScheduler() {
        let scheduler = KeepingScheduler()
        let gate = Core<Int, Never>(rootNamed: StreamName("signal"), contention: .enqueue, scheduler: scheduler)
        let (thread, performed) = (ThreadIdentity.current, Latch("the operation"))
        #expect(gate.enterPassively(thread))
        TestThread("sender") { gate.push(DeferredWork { performed.open() }) }.join()
        gate.leavePassively(thread)
        performed.wait()
        #expect(scheduler.count == 0)
    }

    /// Several schedulers of one thread. Such a scheduler runs an action at once if it is scheduled on that thread.
    private final class Home: Sendable {
        final class Scheduler: HotSignals.Scheduler {
            let home: Home

            init(_ home: Home) { self.home = home }

            func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
                if home.isCurrent { action() } else { home.actions.withLock { $0.append(action) } }
                return nil
            }
        }

        fileprivate let actions = Locked<[@Sendable () -> Void]>([])
        private let thread = Locked<UInt>(0)

        var isCurrent: Bool { thread.withLock { $0 } == ThreadIdentity.current }

        /// Runs `body`, and then the actions that others schedule, until `isDone`.
        func run(_ body: () -> Void, until isDone: () -> Bool = { true }) {
            thread.withLock { $0 = ThreadIdentity.current }
            body()
            #expect(
                becomesTrue {
                    for action in actions.withLock({ actions in
                        defer { actions = [] }
                        return actions
                    }) { action() }
                    return isDone()
                })
            thread.withLock { $0 = 0 }
        }
    }

    @Test("is performed on its thread if several schedulers have that thread, and run work at once there")
    func sameThread() {
        let home = Home()
        let schedulers = (0..<3).map { _ in Home.Scheduler(home) }
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<String>())
        #expect(gate.enterPassively(thread))
        TestThread("home") {
            home.run {
                for (number, scheduler) in schedulers.enumerated() {
                    let operation = DeferredWork { log.append("\(number), \(home.isCurrent)") }
                    _ = scheduler.schedule { DeliveryScheduler.run(on: scheduler) { gate.push(operation) } }
                }
            }
        }.join()
        gate.leavePassively(thread)
        TestThread("home") { home.run({}, until: { log.all.count == 3 }) }.join()
        expect(log.all, is: ["0, true", "1, true", "2, true"])
    }

    private enum Local {
        @TaskLocal static var name = "none"
    }

    @Test("a send from inside keeps its context and its scheduler if a drain leaves it behind")
    func sendFromInside() {
        let schedulers = [KeepingScheduler(), KeepingScheduler()]
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<String>())
        let push: @Sendable (Int, DeferredWork) -> Void = { index, operation in
            TestThread("sender") { DeliveryScheduler.run(on: schedulers[index]) { gate.push(operation) } }.join()
        }
        let inner = DeferredWork { log.append("inner, \(Local.name)") }
        let outer = DeferredWork {
            log.append("outer, \(Local.name)")
            push(1, DeferredWork { log.append("other, \(Local.name)") })
            gate.push(inner)
        }
        #expect(gate.enterPassively(thread))
        TestThread("sender") {
            Local.$name.withValue("sender") {
                DeliveryScheduler.run(on: schedulers[0]) { gate.push(outer) }
            }
        }.join()
        gate.leavePassively(thread)
        for index in [0, 1, 0] {
            #expect(becomesTrue { schedulers[index].count == 1 })
            let actions = schedulers[index].takeAll()
            TestThread("scheduler") { for action in actions { action() } }.join()
        }
        expect(log.all, is: ["outer, sender", "other, none", "inner, sender"])
    }

    @Test("what a visitor sends from inside its own work follows in the visitor's context")
    func ownWork() {
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<String>())
        Local.$name.withValue("visitor") {
            #expect(gate.enterPassively(thread))
            gate.push(
                DeferredWork {
                    log.append("own, \(Local.name)")
                    gate.push(DeferredWork { log.append("inner, \(Local.name)") })
                })
            for number in 1...2 {
                TestThread("sender") { gate.push(DeferredWork { log.append("\(number), \(Local.name)") }) }.join()
            }
            gate.leavePassively(thread)
        }
        #expect(becomesTrue { log.all.count == 4 })
        expect(log.all, is: ["own, visitor", "1, none", "2, none", "inner, visitor"])
    }

    @Test("a send from inside an action of another scheduler follows at once")
    func actionInside() {
        let schedulers = [KeepingScheduler(), KeepingScheduler()]
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<String>())
        #expect(gate.enterPassively(thread))
        TestThread("sender") {
            DeliveryScheduler.run(on: schedulers[0]) {
                gate.push(
                    DeferredWork {
                        log.append("outer")
                        DeliveryScheduler.run(on: schedulers[1]) { gate.push(DeferredWork { log.append("inner") }) }
                    })
            }
        }.join()
        gate.leavePassively(thread)
        let actions = schedulers[0].takeAll()
        TestThread("scheduler") { for action in actions { action() } }.join()
        expect(log.all, is: ["outer", "inner"])
    }
}

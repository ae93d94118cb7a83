import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private enum Locals {
    @TaskLocal static var number = 0
}

private actor Ledger {
    private let manual: ManualExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { manual.asUnownedSerialExecutor() }
    var entries: [Int] = []

    init(_ manual: ManualExecutor) { self.manual = manual }

    func enter(_ entry: Int) { entries.append(entry) }
}

/// An actor on the global concurrent pool.
private actor Pooled {
    var entries: [[Int]] = []

    func enter(_ entry: [Int]) { entries.append(entry) }
}

@Suite("ActorScheduler", .watched)
struct ActorSchedulerTests {
    @Test("runs each action as one job on the actor, in order, after schedule has returned")
    func order() {
        let executor = ManualExecutor()
        let ledger = Ledger(executor)
        let scheduler = ActorScheduler(ledger)
        for number in 0..<100 {
            scheduler.schedule {
                ledger.assumeIsolated { $0.enter(number) }
            }
        }
        expect(executor.total, is: 100)
        #expect(executor.hold { ledger.assumeIsolated { $0.entries } }.isEmpty)
        executor.runOne()
        expect(executor.hold { ledger.assumeIsolated { $0.entries } }, is: [0])
        executor.runAll()
        expect(executor.hold { ledger.assumeIsolated { $0.entries } }, is: Array(0..<100))
        #expect(scheduler.actor === ledger)
    }

    @Test("does not nest actions scheduled by an action")
    func nested() {
        let executor = ManualExecutor()
        let scheduler = ActorScheduler(Ledger(executor))
        let log = Log<String>()
        scheduler.schedule {
            scheduler.schedule { log.append("nested") }
            log.append("outer")
        }
        expect(executor.runAll(), is: 2)
        expect(log.all, is: ["outer", "nested"])
    }

    @Test("runs actions with its given priority")
    func priority() {
        let executor = ManualExecutor()
        let scheduler = ActorScheduler(Ledger(executor), priority: .low)
        let log = Log<Bool>()
        scheduler.schedule { log.append(Task.currentPriority == .low) }
        executor.runAll()
        expect(log.all, is: [true])
    }

    @Test("does not run an action that is disposed of, and releases it at once")
    func disposes() {
        let population = Population()
        let executor = ManualExecutor()
        let scheduler = ActorScheduler(Ledger(executor))
        let runs = Counter()
        let disposable = scheduler.schedule { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        expect(disposable?.isDisposed, is: false)
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
        executor.runAll()
        expect(runs.value, is: 0)
    }

    @Test("is the current scheduler inside its actions, which inherit the scheduling code's task-locals")
    func taskContext() {
        let executor = ManualExecutor()
        let scheduler = ActorScheduler(Ledger(executor))
        let log = Log<Int>()
        for number in 1...3 {
            Locals.$number.withValue(number) {
                _ = scheduler.schedule { log.append(CurrentScheduler.value === scheduler ? Locals.number : -1) }
            }
        }
        Locals.$number.withValue(9) { _ = executor.runAll() }
        expect(log.all, is: [1, 2, 3])
        #expect(CurrentScheduler.value !== scheduler)
    }

    @Test("counts as work in progress, and runs actions on the executor of the task context")
    func libraryTaskContext() {
        let counter = TaskCounter()
        let executor = ManualExecutor()
        let scheduler = ActorScheduler(Ledger(executor))
        LibraryTask.$context.withValue(TaskContext(counter: counter)) { _ = scheduler.schedule {} }
        #expect(!counter.isEmpty)
        executor.runAll()
        #expect(counter.isEmpty)

        let tasks = ManualTaskExecutor()
        let log = Log<Int>()
        let pooled = ActorScheduler(Pooled())
        tasks.around {
            for number in 0..<10 { pooled.schedule { log.append(number) } }
        }
        #expect(log.all.isEmpty)
        tasks.runAll()
        expect(log.all, is: Array(0..<10))
    }

    @Test("preserves the order of each of several threads with different priorities")
    func threads() async {
        let pooled = Pooled()
        let scheduler = ActorScheduler(pooled)
        await withTaskGroup { group in
            for (index, priority) in [TaskPriority.background, .high, .low, .userInitiated].enumerated() {
                group.addTask(priority: priority) {
                    for number in 0..<raceRounds {
                        scheduler.schedule { pooled.assumeIsolated { $0.enter([index, number]) } }
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in
            _ = scheduler.schedule { continuation.resume() }
        }
        let entries = await pooled.entries
        expect(entries.count, is: 4 * raceRounds)
        for index in 0..<4 {
            expect(entries.filter { $0[0] == index }.map { $0[1] }, is: Array(0..<raceRounds))
        }
    }

    @Test("runs an action at most once when running races with disposal")
    func races() async {
        let population = Population()
        let scheduler = ActorScheduler(Pooled())
        let wrong = Counter()
        for round in 0..<raceRounds {
            let runs = Counter()
            let member = population.member()
            let scheduled = scheduler.schedule {
                member.touch()
                runs.increment()
            }
            // On this task's thread, while the pool runs the actor on another one.
            if round.isMultiple(of: 2) { await Task.yield() }
            scheduled?.dispose()
            let seen = runs.value
            await withCheckedContinuation { continuation in
                _ = scheduler.schedule { continuation.resume() }
            }
            // It may have been running during the disposal, but only once.
            if runs.value > 1 || runs.value < seen || scheduled?.isDisposed != true { wrong.increment() }
        }
        expect(wrong.value, is: 0)
        #expect(await eventually { population.alive == 0 })
    }

    @Test("delivers the events of observe(on:) on the actor in batches")
    func observeOn() {
        let executor = ManualExecutor()
        let ledger = Ledger(executor)
        let (source, input) = Signal<Int, Never>.pipe()
        source.observe(on: ActorScheduler(ledger)).observeNext { value in ledger.assumeIsolated { $0.enter(value) } }
        for number in 0..<100 { input.sendNext(number) }
        expect(executor.runAll(), is: 1)
        expect(executor.hold { ledger.assumeIsolated { $0.entries } }, is: Array(0..<100))
        // The end of the stream takes a job, too.
        input.sendCompleted()
        executor.runAll()
    }
}

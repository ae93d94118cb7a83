import Dispatch
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private enum Locals {
    @TaskLocal static var number = 0
}

/// An executor on a queue, like that of an event loop.
private final class Loop: SerialExecutor {
    let queue = DispatchQueue(label: "loop")
    let jobs = Counter()

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.increment()
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

@Suite("ExecutorScheduler", .watched)
struct ExecutorSchedulerTests {
    @Test("enqueues one executor job per action, in order, and runs none before schedule returns")
    func order() {
        let executor = ManualExecutor()
        let scheduler = ExecutorScheduler(executor)
        let log = Log<Int>()
        for number in 0..<100 { scheduler.schedule { log.append(executor.isHeldByCaller ? number : -1) } }
        expect(executor.waiting, is: 100)
        #expect(log.all.isEmpty)
        expect(executor.runAll(), is: 100)
        expect(log.all, is: Array(0..<100))
        expect(executor.total, is: 100)
        #expect(scheduler.executor === executor)
    }

    @Test("preserves the order of each of several threads on an executor with a thread")
    func threads() async {
        let loop = Loop()
        let scheduler = ExecutorScheduler(loop)
        // Not atomic: guarded by the executor only.
        let state = SinkState([[Int]]())
        await onThread("executor scheduler") {
            onThreads(4, "executor scheduler") { index in
                for number in 0..<raceRounds {
                    scheduler.schedule {
                        dispatchPrecondition(condition: .onQueue(loop.queue))
                        state.value.append([index, number])
                    }
                }
            }
            let done = Latch("the executor is not drained")
            scheduler.schedule { done.open() }
            done.wait()
        }
        expect(loop.jobs.value, is: 4 * raceRounds + 1)
        expect(state.value.count, is: 4 * raceRounds)
        for index in 0..<4 {
            expect(state.value.filter { $0[0] == index }.map { $0[1] }, is: Array(0..<raceRounds))
        }
    }

    @Test("runs actions with its given priority")
    func priority() {
        let executor = ManualExecutor()
        let scheduler = ExecutorScheduler(executor, priority: .low)
        let log = Log<Bool>()
        scheduler.schedule { log.append(Task.currentPriority == .low) }
        executor.runAll()
        expect(log.all, is: [true])
    }

    @Test("does not run an action that is disposed of, and releases it at once")
    func disposes() {
        let population = Population()
        let executor = ManualExecutor()
        let scheduler = ExecutorScheduler(executor)
        let runs = Counter()
        let disposable = scheduler.schedule { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
        expect(executor.runAll(), is: 1)
        expect(runs.value, is: 0)
    }

    @Test("is the current scheduler inside its actions, which inherit the scheduling code's task-locals")
    func taskContext() {
        let executor = ManualExecutor()
        let scheduler = ExecutorScheduler(executor)
        let log = Log<Int>()
        for number in 1...3 {
            Locals.$number.withValue(number) {
                _ = scheduler.schedule { log.append(CurrentScheduler.value === scheduler ? Locals.number : -1) }
            }
        }
        executor.runAll()
        expect(log.all, is: [1, 2, 3])
    }

    @Test(
        "runs an action at most once when running races with disposal on another thread")
    func races() async {
        let population = Population()
        let wrong = await onThread("executor scheduler races") {
            let scheduler = ExecutorScheduler(Loop())
            let wrong = Counter()
            for _ in 0..<raceRounds {
                let runs = Counter()
                let member = population.member()
                let scheduled = scheduler.schedule {
                    member.touch()
                    runs.increment()
                }
                scheduled?.dispose()
                let drained = Latch("the loop is not drained")
                scheduler.schedule { drained.open() }
                drained.wait()
                if runs.value > 1 || scheduled?.isDisposed != true { wrong.increment() }
            }
            return wrong.value
        }
        expect(wrong, is: 0)
        #expect(await eventually { population.alive == 0 })
    }

    @Test("retains its executor, and releases it when the last action has run")
    func releases() async {
        weak var weakly: ManualExecutor?
        do {
            let executor = ManualExecutor()
            weakly = executor
            let scheduler = ExecutorScheduler(executor)
            scheduler.schedule {}
            executor.runAll()
            #expect(weakly === scheduler.executor)
        }
        #expect(await eventually { weakly == nil })
    }
}

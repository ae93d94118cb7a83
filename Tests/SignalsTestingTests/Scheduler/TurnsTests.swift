import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An actor whose jobs run on demand. Code that advances the time from here proceeds step by step.
private actor Desk {
    nonisolated let executor = ManualExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// Runs the actor's task between two functions of the actor.
    private nonisolated let hops = HandDrivenExecutor()
    private nonisolated let isDone = DoneFlag()

    /// Starts to advance the time, and returns when the task waits.
    nonisolated func begin(_ scheduler: TestScheduler, by duration: Duration, inRun: Bool) {
        Task(executorPreference: hops) { [isDone] in
            if inRun { await self.run(scheduler, duration) } else { await self.move(scheduler, duration) }
            isDone.raise()
        }
        settle()
    }

    private func run(_ scheduler: TestScheduler, _ duration: Duration) async {
        await scheduler.run { await move(scheduler, duration) }
    }

    private func move(_ scheduler: TestScheduler, _ duration: Duration) async {
        await scheduler.advance(by: duration)
    }

    /// The number of jobs that have reached the actor and its task.
    nonisolated var questions: Int { executor.total + hops.steps + hops.count }

    private nonisolated var isAsked: Bool { executor.waiting + hops.count > 0 }

    private nonisolated func settle() {
        while isAsked {
            hops.run()
            executor.runAll()
        }
    }

    nonisolated func waitUntilAsked() {
        while !isAsked, !isDone.isRaised { TestThread("a moment") {}.join() }
    }

    /// Runs jobs until the time has been advanced.
    nonisolated func work() {
        while !isDone.isRaised {
            waitUntilAsked()
            settle()
        }
    }
}

/// A thread that advances the time and stays in an action until it is told to continue.
private struct Occupant {
    let thread: TestThread
    let goOn = Latch("the occupant's end")

    init(_ scheduler: TestScheduler) {
        let isInside = Latch("the occupant's action")
        scheduler.schedule(after: .seconds(1)) { [goOn] in
            isInside.open()
            goOn.wait()
        }
        thread = TestThread("occupant") { scheduler.advance(by: .seconds(1)) }
        isInside.wait()
    }

    func leave() {
        goOn.open()
        thread.join()
    }
}

@Suite("Turns of advancing the time", .watched)
struct TurnsTests {
    @Test("a body on an actor with another executor takes a look between any two actions")
    func looks() {
        let (scheduler, desk, questions) = (TestScheduler(), Desk(), Log<Int>())
        for second in 1...3 { scheduler.schedule(after: .seconds(second)) { questions.append(desk.questions) } }
        desk.begin(scheduler, by: .seconds(3), inRun: true)
        desk.work()
        expect(questions.count, is: 3)
        expect(Set(questions.all).count, is: 3)
    }

    @Test("a body on an actor lends its turn to a thread, and takes no look during that turn")
    func lent() {
        let (scheduler, desk) = (TestScheduler(), Desk())
        let (questions, borrower) = (Log<Int>(), Log<TestThread>())
        scheduler.schedule(after: .seconds(1)) {
            let thread = TestThread("borrower") { scheduler.advance(by: .seconds(3)) }
            #expect(becomesTrue { scheduler.waitingThreads == 1 })
            borrower.append(thread)
        }
        // In the borrower's turn.
        scheduler.schedule(after: .seconds(2)) {
            questions.append(desk.questions)
            for _ in 0..<50 {
                // The executor runs everything that is ready.
                let hasRun = Latch("a job in between")
                Task(executorPreference: scheduler) { hasRun.open() }
                hasRun.wait()
            }
            questions.append(desk.questions)
        }
        desk.begin(scheduler, by: .seconds(2), inRun: true)
        desk.work()
        for thread in borrower.all { thread.join() }
        expect(questions.count, is: 2)
        expect(Set(questions.all).count, is: 1)
        // One second in its own turn, three in the borrower's, and one more in its own.
        expect(scheduler.now.offset, is: .seconds(5))
    }

    @Test("StandstillDetector reports rest when it looks the same twice in a row")
    func detector() {
        var detector = StandstillDetector(1)
        expect([1, 2, 2, 3, 3, 4, 4].map { detector.check($0) }, is: Array(repeating: false, count: 7))
        expect([4, 4, 5, 5, 5].map { detector.check($0) }, is: [true, true, false, false, true])
    }

    @Test("a body on the executor keeps its turn while tasks run between two actions")
    func kept() async {
        let scheduler = TestScheduler()
        let (log, other, goOn) = (Log<String>(), Log<TestThread>(), Latch("the end of the other"))
        scheduler.schedule(after: .seconds(1)) {
            let thread = TestThread("other") {
                scheduler.advance(by: .seconds(3))
                log.append("other to \(scheduler.now)")
                goOn.wait()
            }
            #expect(becomesTrue { scheduler.waitingThreads == 1 })
            other.append(thread)
            LibraryTask.start { log.append("task, \(scheduler.waitingThreads) waiting") }
        }
        scheduler.schedule(after: .seconds(2)) { log.append("2") }
        await scheduler.run {
            await scheduler.advance(by: .seconds(2))
            goOn.open()
        }
        await onThread("joining") { for thread in other.all { thread.join() } }
        expect(log.all, is: ["task, 1 waiting", "2", "other to 5.0 seconds"])
    }

    @Test("a task on the executor lets other tasks run before it advances the time, even without a run")
    func others() async {
        let (scheduler, log) = (TestScheduler(), Log<String>())
        await Task(executorPreference: scheduler) {
            let other = Task(executorPreference: scheduler) { log.append("other at \(scheduler.now)") }
            await scheduler.advance(by: .seconds(1))
            await other.value
        }.value
        expect(log.all, is: ["other at 0.0 seconds"])
    }

    @Test("a task waits for its turn while a thread advances the time, even without a run")
    func waitsForThread() {
        let (scheduler, hand, log, isDone) = (TestScheduler(), HandDrivenExecutor(), Log<String>(), DoneFlag())
        let occupant = Occupant(scheduler)
        Task(executorPreference: hand) {
            await scheduler.advance(by: .seconds(1))
            log.append("moved to \(scheduler.now)")
            isDone.raise()
        }
        hand.run()
        #expect(log.all.isEmpty)
        occupant.leave()
        hand.run(until: isDone)
        expect(log.all, is: ["moved to 2.0 seconds"])
    }

    @Test("a task waits for its turn while another one on an actor takes a look, even without a run")
    func waitsForLook() {
        let (scheduler, desk, hand) = (TestScheduler(), Desk(), HandDrivenExecutor())
        let (moves, areDone) = (Counter(), DoneFlag())
        let occupant = Occupant(scheduler)
        // It must wait for its turn, and then proceeds step by step.
        desk.begin(scheduler, by: .seconds(2), inRun: false)
        occupant.leave()
        desk.waitUntilAsked()
        for _ in 0..<50 {
            Task(executorPreference: hand) {
                await scheduler.advance()
                if moves.increment() == 50 { areDone.raise() }
            }
            hand.run()
            // The executor comes to rest soon.
            TestThread("a moment") {}.join()
        }
        expect(moves.value, is: 0)
        desk.work()
        hand.run(until: areDone)
        expect(scheduler.now.offset, is: .seconds(3))
    }
}

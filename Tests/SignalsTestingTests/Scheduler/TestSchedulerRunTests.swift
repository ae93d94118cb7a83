import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Instant = TestScheduler.Instant

/// An actor without an executor of its own.
private actor Notebook {
    private(set) var notes: [String] = []

    func write(_ note: String) { notes.append(note) }

    /// Moves the time from inside the actor.
    func wait(_ duration: Duration, on scheduler: TestScheduler) async {
        await scheduler.advance(by: duration)
        write("moved to \(scheduler.now)")
    }
}

@MainActor
private final class Screen {
    var lines: [String] = []
}

@Suite("TestScheduler.run", .watched)
struct TestSchedulerRunTests {
    @Test("one advance drives timers, sleeping tasks and the tasks that they start")
    func together() async throws {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            scheduler.schedule(after: .seconds(1)) { log.append("action at \(scheduler.now)") }
            async let sleeper: Void = {
                for _ in 1...3 {
                    try? await Task.sleep(for: .milliseconds(500), clock: scheduler)
                    log.append("sleeper at \(scheduler.now)")
                }
            }()
            await scheduler.advance(by: .seconds(1))
            expect(log.all, is: ["sleeper at 0.5 seconds", "action at 1.0 seconds", "sleeper at 1.0 seconds"])
            await scheduler.advance(by: .seconds(9))
            expect(log.all.last, is: "sleeper at 1.5 seconds")
            expect(scheduler.now.offset, is: .seconds(10))
            await sleeper
        }
    }

    @Test("debounced values, timers, and tasks that the library starts keep exact times")
    func interleaved() async throws {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let note: @Sendable (String) -> Void = { log.append("\($0) \(scheduler.now.offset.components.seconds)") }
        try await scheduler.run {
            let (typing, input) = Signal<String, Never>.pipe()
            typing.debounce(.seconds(2), on: scheduler).observe { event in
                guard let text = event.value else { return }
                note("search \(text)")
                // As the library's own bridges do.
                LibraryTask.start {
                    try? await Task.sleep(for: .seconds(3), clock: scheduler)
                    note("found \(text)")
                }
            }
            let ticks = SignalProducer<TestScheduler.Instant, Never>.timer(interval: .seconds(4), on: scheduler)
                .startWithNext { _ in note("tick") }
            async let typist: Void = {
                for text in ["a", "ab", "abc"] {
                    input.sendNext(text)
                    note("typed \(text)")
                    try await Task.sleep(for: .seconds(text == "ab" ? 5 : 1), clock: scheduler)
                }
            }()
            await scheduler.advance(by: .seconds(20))
            ticks.dispose()
            try await typist
            // The end of the stream comes on the scheduler, too.
            input.sendCompleted()
            await scheduler.advance(by: .seconds(1))
        }
        expect(
            log.all,
            is: [
                "typed a 0", "typed ab 1", "search ab 3", "tick 4", "typed abc 6", "found ab 6", "tick 8",
                "search abc 8", "found abc 11", "tick 12", "tick 16", "tick 20",
            ])
    }

    @Test("lets all that can run do so before the time moves, however long the chain")
    func quiescence() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            scheduler.schedule(after: .seconds(1)) { log.append("later") }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<1_000 { await Task.yield() }
                    log.append("yielded a thousand times")
                }
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        for _ in 0..<50 { inner.addTask { await Task.yield() } }
                    }
                    log.append("waited for fifty")
                }
                await scheduler.advance(by: .seconds(1))
            }
        }
        expect(Set(log.all.dropLast()), is: ["yielded a thousand times", "waited for fifty"])
        expect(log.all.last, is: "later")
    }

    @Test("drives actors without an executor of their own")
    func actors() async {
        let scheduler = TestScheduler()
        let notebook = Notebook()
        await scheduler.run {
            async let writer: Void = {
                try? await Task.sleep(for: .seconds(1), clock: scheduler)
                await notebook.write("a at \(scheduler.now)")
                try? await Task.sleep(for: .seconds(1), clock: scheduler)
                await notebook.write("b at \(scheduler.now)")
            }()
            await scheduler.advance(by: .seconds(1))
            #expect(await notebook.notes == ["a at 1.0 seconds"])
            await notebook.wait(.seconds(4), on: scheduler)
            #expect(await notebook.notes == ["a at 1.0 seconds", "b at 2.0 seconds", "moved to 5.0 seconds"])
            await writer
        }
    }

    @Test("waits, for a body on the main actor, for what the tasks have sent there")
    @MainActor
    func mainActor() async {
        let scheduler = TestScheduler()
        let screen = Screen()
        await scheduler.run {
            for second in 1...5 {
                scheduler.schedule(after: .seconds(second)) {
                    LibraryTask.start {
                        await MainActor.run { screen.lines.append("\(second) at \(scheduler.now)") }
                        try? await Task.sleep(for: .milliseconds(100), clock: scheduler)
                        await MainActor.run { screen.lines.append("\(second) again at \(scheduler.now)") }
                    }
                }
            }
            await scheduler.advance(by: .seconds(3))
            expect(
                screen.lines,
                is: [
                    "1 at 1.0 seconds", "1 again at 1.1 seconds", "2 at 2.0 seconds", "2 again at 2.1 seconds",
                    "3 at 3.0 seconds",
                ])
            await scheduler.run()
            expect(screen.lines.count, is: 10)
            expect(scheduler.now.offset, is: .milliseconds(5_100))
        }
    }

    @Test("lets the body use the state of its caller")
    @MainActor
    func isolated() async {
        let scheduler = TestScheduler()
        let screen = Screen()
        var count = 0
        let result = await scheduler.run {
            count += 1
            screen.lines.append("body")
            await scheduler.advance(by: .seconds(1))
            count += 1
            screen.lines.append("moved")
            return count
        }
        expect(result, is: 2)
        expect(screen.lines, is: ["body", "moved"])
    }

    @Test("moves the time while the main actor moves it too: the one waits for the other")
    @MainActor
    func mainActorTurns() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            for second in 1...4 { scheduler.schedule(after: .seconds(second)) { log.append("\(second)") } }
            async let other: Void = {
                await scheduler.advance(by: .seconds(2))
                log.append("other to \(scheduler.now)")
            }()
            await scheduler.advance(by: .seconds(2))
            log.append("body to \(scheduler.now)")
            await other
        }
        // Who comes first is up to the main actor.
        expect(log.all.filter { $0.count == 1 }, is: ["1", "2", "3", "4"])
        expect(scheduler.now.offset, is: .seconds(4))
    }

    @Test("two tasks that move the time have one turn each, and count from it")
    func turns() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            for second in 1...6 { scheduler.schedule(after: .seconds(second)) { log.append("\(second)") } }
            await withTaskGroup(of: Void.self) { group in
                for name in ["a", "b"] {
                    group.addTask {
                        await scheduler.advance(by: .seconds(3))
                        log.append("\(name) to \(scheduler.now.offset.components.seconds)")
                    }
                }
            }
        }
        expect(log.all, is: ["1", "2", "3", "a to 3", "4", "5", "6", "b to 6"])
    }

    @Test("lets an action move the time, and a task that the move has woken wait for its turn")
    func nested() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            scheduler.schedule(after: .seconds(1)) {
                scheduler.advance(by: .seconds(2))
                log.append("action to \(scheduler.now.offset.components.seconds)")
            }
            scheduler.schedule(after: .seconds(2)) { log.append("2") }
            async let woken: Void = {
                try? await Task.sleep(for: .seconds(4), clock: scheduler)
                log.append("woken at \(scheduler.now.offset.components.seconds)")
                await scheduler.advance(by: .seconds(1))
                log.append("woken to \(scheduler.now.offset.components.seconds)")
            }()
            await scheduler.advance(by: .seconds(5))
            log.append("body to \(scheduler.now.offset.components.seconds)")
            await woken
        }
        expect(log.all, is: ["2", "action to 3", "woken at 4", "body to 5", "woken to 6"])
    }

    @Test("the form for synchronous functions works inside, and leaves the tasks for later")
    func synchronousInside() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        func move() { scheduler.advance(by: .seconds(1)) }
        await scheduler.run {
            async let sleeper: Void = {
                try? await Task.sleep(for: .seconds(1), clock: scheduler)
                log.append("woken")
            }()
            await scheduler.advance()
            scheduler.schedule(after: .seconds(1)) { log.append("action") }
            move()
            expect(log.all, is: ["action"])
            await scheduler.advance()
            expect(log.all, is: ["action", "woken"])
            await sleeper
        }
    }

    @Test("runs to the end of all there is")
    func toTheEnd() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            async let sleeper: Void = {
                try? await Task.sleep(for: .seconds(100), clock: scheduler)
                scheduler.schedule(after: .seconds(11)) { log.append("last at \(scheduler.now)") }
            }()
            await scheduler.run()
            expect(log.all, is: ["last at 111.0 seconds"])
            await scheduler.advance(to: Instant(offset: .seconds(200)))
            expect(scheduler.now.offset, is: .seconds(200))
            await sleeper
        }
    }

    @Test("returns what the body returns, and throws what it throws, with its type")
    func results() async {
        let scheduler = TestScheduler()
        #expect(await scheduler.run { 7 } == 7)
        do throws(TestError) {
            try await scheduler.run { () async throws(TestError) in throw .second }
            Issue.record("nothing thrown")
        } catch {
            expect(error, is: .second)
        }
    }

    @Test("may be called again from inside, and by several tasks")
    func again() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            await scheduler.run {
                async let sleeper: Void = {
                    try? await Task.sleep(for: .seconds(1), clock: scheduler)
                    log.append("inner")
                }()
                await scheduler.advance(by: .seconds(1))
                await sleeper
            }
            log.append("outer")
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await scheduler.run {
                        await scheduler.advance(by: .seconds(1))
                        log.append("task")
                    }
                }
            }
        }
        expect(log.all, is: ["inner", "outer"] + Array(repeating: "task", count: 4))
        expect(scheduler.now.offset, is: .seconds(5))
    }

    @Test("cancels the body with the task that waits for it")
    func cancelled() async {
        let scheduler = TestScheduler()
        let (begun, input) = Signal<Void, Never>.pipe()
        let log = Log<String>()
        begun.observeNext { log.append("begun") }
        let task = Task {
            await scheduler.run {
                input.sendNext()
                do {
                    try await Task.sleep(for: .seconds(1), clock: scheduler)
                } catch {
                    log.append("\(type(of: error))")
                }
                await scheduler.advance(by: .seconds(5))
            }
        }
        task.cancel()
        await task.value
        expect(log.all, is: ["begun", "CancellationError"])
        expect(scheduler.now.offset, is: .seconds(5))
    }

    @Test("moves on the calling thread outside of it")
    func outside() async {
        let scheduler = TestScheduler()
        let log = Log<Bool>()
        scheduler.schedule(after: .seconds(1)) { log.append(CurrentScheduler.value === scheduler) }
        await scheduler.advance(by: .seconds(1))
        expect(log.all, is: [true])
        scheduler.schedule(after: .seconds(1)) { log.append(true) }
        await scheduler.run()
        expect(log.all, is: [true, true])
        await scheduler.advance()
        await scheduler.advance(to: Instant(offset: .seconds(7)))
        expect(scheduler.now.offset, is: .seconds(7))
    }

    @Test("drives a task that a test gives it, without a run")
    func preferred() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let task = Task(executorPreference: scheduler) {
            try? await Task.sleep(for: .seconds(1), clock: scheduler)
            log.append("woken")
            await scheduler.advance(by: .seconds(1))
            log.append("moved")
        }
        let mover = Task(executorPreference: scheduler) { await scheduler.advance(by: .seconds(1)) }
        await mover.value
        await task.value
        expect(log.all, is: ["woken", "moved"])
        expect(scheduler.now.offset, is: .seconds(2))
    }

    @Test("has what streams start on the executor, and what does not end goes on afterwards")
    func afterwards() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let done = Latch("the task that was left")
        await scheduler.run {
            scheduler.schedule(after: .seconds(1)) {
                LibraryTask.start {
                    log.append("started")
                    try? await Task.sleep(for: .seconds(1), clock: scheduler)
                    log.append("went on")
                    done.open()
                }
            }
            await scheduler.advance(by: .seconds(1))
            expect(log.all, is: ["started"])
        }
        let thread = TestThread("moving") {
            scheduler.advance(by: .seconds(1))
            done.wait()
        }
        thread.join()
        expect(log.all, is: ["started", "went on"])
    }

    @Test("a thread that moves the time waits for a task's turn, and the task for the thread's")
    func threads() async {
        let scheduler = TestScheduler()
        let inside = Counter()
        let overlaps = Counter()
        let runs = Counter()
        for second in 1...2_000 {
            scheduler.schedule(after: .seconds(second)) {
                if inside.increment() % 2 == 0 { overlaps.increment() }
                runs.increment()
                inside.increment()
            }
        }
        let thread = TestThread("moving") {
            for _ in 0..<1_000 { scheduler.advance(by: .seconds(1)) }
        }
        await scheduler.run {
            for _ in 0..<500 { await scheduler.advance(by: .seconds(1)) }
            await moveOnMain(scheduler, 500)
        }
        thread.join()
        expect(runs.value, is: 2_000)
        expect(overlaps.value, is: 0)
        expect(scheduler.now.offset, is: .seconds(2_000))
    }

    @MainActor
    private func moveOnMain(_ scheduler: TestScheduler, _ count: Int) async {
        for _ in 0..<count { await scheduler.advance(by: .seconds(1)) }
    }

    @Test("has what actions start on the executor while a run goes on, whoever moves the time, and no longer")
    func surroundings() async {
        let scheduler = TestScheduler()
        let log = Log<Bool>()
        let note = { @Sendable in log.append(LibraryTask.surroundings?.executor === scheduler) }
        await scheduler.run {
            scheduler.schedule(after: .seconds(1), note)
            await onThread("mover") { scheduler.advance(by: .seconds(1)) }
        }
        scheduler.schedule(after: .seconds(1), note)
        await onThread("mover") { scheduler.advance(by: .seconds(1)) }
        expect(log.all, is: [true, false])
    }

    @Test("takes the same course each time")
    func deterministic() async {
        var courses: Set<[String]> = []
        for _ in 0..<50 {
            let scheduler = TestScheduler()
            let log = Log<String>()
            await scheduler.run {
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<10 {
                        group.addTask(priority: index % 2 == 0 ? .high : .low) {
                            for _ in 0..<5 {
                                let delay = (index * 7) % 4
                                try? await Task.sleep(for: .seconds(delay), clock: scheduler)
                                log.append("\(index) at \(scheduler.now)")
                                await Task.yield()
                            }
                        }
                    }
                    await scheduler.run()
                }
            }
            courses.insert(log.all)
        }
        expect(courses.count, is: 1)
    }

    @Test("releases the scheduler and what its tasks held")
    func released() async {
        let population = Population()
        weak var weakly: TestScheduler?
        do {
            let scheduler = TestScheduler()
            weakly = scheduler
            await scheduler.run { [member = population.member()] in
                async let sleeper: Void = {
                    try? await Task.sleep(for: .seconds(1), clock: scheduler)
                    member.touch()
                }()
                scheduler.schedule(after: .seconds(1)) { member.touch() }
                await scheduler.advance(by: .seconds(1))
                await sleeper
            }
        }
        expect(population.alive, is: 0)
        // The last task may still be on its way out, on another thread.
        #expect(becomesTrue { weakly == nil })
    }

    @Test("ends the process with a message when the body waits for a time that nobody moves")
    func stalled() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scheduler = TestScheduler()
            await scheduler.run(patience: .milliseconds(50)) {
                try? await Task.sleep(for: .seconds(3), clock: scheduler)
            }
        }
        #expect(result.message.contains("TestScheduler.run(patience: 0.05 seconds)"))
        #expect(result.message.contains("scheduled actions: 1, the next at 3.0 seconds"))
    }

    @Test("ends the process with a message when nothing is scheduled that could wake the body")
    func stalledForGood() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestScheduler().run(patience: .milliseconds(50)) {
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        }
        #expect(result.message.contains("no scheduled action could resume it"))
    }

    @Test("traps when the patience is not positive, or the time is to go back")
    func misused() async throws {
        let patience = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestScheduler().run(patience: .zero) {}
        }
        patience.expectTrap("TestScheduler.run(patience: 0.0 seconds)")
        let by = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestScheduler().advance(by: .seconds(-1))
        }
        by.expectTrap("TestScheduler.advance(by: -1.0 seconds)")
        let to = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await TestScheduler().advance(to: TestScheduler.Instant(offset: .seconds(-1)))
        }
        to.expectTrap("TestScheduler.advance(to: -1.0 seconds)")
    }
}

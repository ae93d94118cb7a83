import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Instant = TestScheduler.Instant

/// An actor without a custom executor.
private actor Notebook {
    private(set) var notes: [String] = []

    func write(_ note: String) { notes.append(note) }

    /// Advances the time from the actor.
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
    @Test("advances timers, sleeping tasks and the tasks that they start")
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

    @Test("keeps exact times for debounced values, timers, and tasks started by the library")
    func interleaved() async throws {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let note: @Sendable (String) -> Void = { log.append("\($0) \(scheduler.now.offset.components.seconds)") }
        try await scheduler.run {
            let (typing, input) = Signal<String, Never>.pipe()
            typing.debounce(.seconds(2), on: scheduler).observe { event in
                guard let text = event.value else { return }
                note("search \(text)")
                // As the library's own async operators do.
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
            // The end of the stream also arrives on the scheduler.
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

    @Test("runs every ready task, through long chains, before the time advances")
    func quiescence() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            scheduler.schedule(after: .seconds(1)) { log.append("later") }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<1_000 {
                        async let link: Void = ()
                        await link
                    }
                    log.append("a thousand tasks, one after another")
                }
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        for _ in 0..<50 { inner.addTask {} }
                    }
                    log.append("fifty tasks at once")
                }
                await scheduler.advance(by: .seconds(1))
            }
        }
        expect(Set(log.all.dropLast()), is: ["a thousand tasks, one after another", "fifty tasks at once"])
        expect(log.all.last, is: "later")
    }

    @Test("runs actors that have no custom executor")
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

    @Test("with a body on the main actor, waits for the work that tasks do there")
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

    @Test("lets the body use its caller's state")
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

    @Test("lets a body on the main actor and another task take turns advancing the time")
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
        // The main actor determines the order.
        expect(log.all.filter { $0.count == 1 }, is: ["1", "2", "3", "4"])
        expect(scheduler.now.offset, is: .seconds(4))
    }

    @Test("lets two tasks take turns advancing the time, each relative to its start")
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

    @Test("lets an action advance the time, while a task woken by that waits for its turn")
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

    @Test("supports the synchronous form, which leaves tasks for later")
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

    @Test("runs until nothing is scheduled")
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

    @Test("returns the body's result, and throws its typed error")
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

    @Test("can be nested and called by several tasks")
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

    @Test("cancels the body with the task that awaits it")
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

    @Test("outside of a run, advances the time on the calling thread")
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

    @Test("runs a task that prefers it as executor, without a run")
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

    @Test("runs the tasks that streams start on its executor, even after the run")
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

    @Test("serializes advances of threads and tasks")
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

    @Test("runs tasks started by actions on its executor during a run, for any advancing thread, but not afterward")
    func taskContext() async {
        let scheduler = TestScheduler()
        let log = Log<Bool>()
        let note = { @Sendable in log.append(LibraryTask.context?.executor === scheduler) }
        await scheduler.run {
            scheduler.schedule(after: .seconds(1), note)
            await onThread("mover") { scheduler.advance(by: .seconds(1)) }
        }
        scheduler.schedule(after: .seconds(1), note)
        await onThread("mover") { scheduler.advance(by: .seconds(1)) }
        expect(log.all, is: [true, false])
    }

    @Test("is deterministic")
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

    @Test("releases the scheduler and everything that its tasks retained")
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
        // The last task may still be finishing on another thread.
        #expect(becomesTrue { weakly == nil })
    }

    @Test("ends the process with a message when nothing scheduled could resume the body")
    func stalledForGood() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // check-waits: nothing ever happens.
            await TestScheduler().run(patience: .milliseconds(50)) {
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        }
        #expect(result.message.contains("no scheduled action could resume it"))
    }

    @Test("traps unless the patience is positive, and if the time would go back")
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

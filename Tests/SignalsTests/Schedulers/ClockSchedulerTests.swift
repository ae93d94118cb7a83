import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private enum Locals {
    @TaskLocal static var number = 0
    @TaskLocal static var name = "none"
}

/// A scheduler on a manual clock, whose tasks run on demand.
private final class Bench: Sendable {
    let clock = ManualClock()
    let executor = ManualTaskExecutor()
    let scheduler: ClockScheduler<ManualClock>
    let log = Log<String>()
    /// Appends a name and the seconds since the start to the log. Does not retain the bench, so that neither does an
    /// action that never runs.
    let note: @Sendable (String) -> Void

    init() {
        scheduler = ClockScheduler(clock)
        note = { [clock, log] name in
            log.append("\(name) at \((clock.now.offset - .seconds(1_000)).components.seconds)")
        }
    }

    deinit {
        // Ends the sleeping task, which retains the scheduler and thereby the waiting actions.
        clock.failSleeps()
        run()
    }

    func run() { executor.runAll() }

    func advance(by seconds: Int) {
        clock.advance(by: .seconds(seconds))
        run()
    }

    /// Schedules a note, runs the resulting tasks, and returns the disposable.
    @discardableResult
    func schedule(
        _ name: String, after seconds: Int? = nil, leeway: Int = 0, every interval: Int? = nil
    )
        -> (any Disposable)?
    {
        let action = { @Sendable [note] in note(name) }
        let disposable = executor.around {
            guard let seconds else { return scheduler.schedule(action) }
            guard let interval else {
                return scheduler.schedule(after: .seconds(seconds), leeway: .seconds(leeway), action)
            }
            return scheduler.schedule(
                after: .seconds(seconds), interval: .seconds(interval), leeway: .seconds(leeway), action)
        }
        run()
        return disposable
    }
}

@Suite("ClockScheduler", .watched)
struct ClockSchedulerTests {
    @Test("returns the clock's time")
    func now() {
        let bench = Bench()
        expect(bench.scheduler.now.offset, is: .seconds(1_000))
        bench.clock.advance(by: .seconds(5))
        expect(bench.scheduler.now.offset, is: .seconds(1_005))
        #expect(bench.scheduler.clock === bench.clock)
    }

    @Test(
        "runs undelayed actions in order, after schedule has returned, without sleeping on the clock")
    func immediate() {
        let bench = Bench()
        bench.executor.around {
            for name in ["a", "b", "c"] { bench.scheduler.schedule { bench.note(name) } }
            bench.scheduler.schedule(after: .seconds(-5)) { bench.note("d") }
        }
        #expect(bench.log.all.isEmpty)
        expect(bench.executor.total, is: 1)
        bench.run()
        expect(bench.log.all, is: ["a at 0", "b at 0", "c at 0", "d at 0"])
        #expect(bench.clock.requests.isEmpty)
    }

    @Test("runs actions in order of time, and those for the same instant in order of scheduling")
    func order() {
        let bench = Bench()
        bench.schedule("third", after: 3)
        bench.schedule("first", after: 1)
        bench.schedule("second", after: 2)
        bench.schedule("second's second", after: 2)
        bench.schedule("now")
        expect(bench.log.all, is: ["now at 0"])
        for _ in 1...4 { bench.advance(by: 1) }
        expect(
            bench.log.all, is: ["now at 0", "first at 1", "second at 2", "second's second at 2", "third at 3"])
    }

    @Test("runs repeated actions that are due at the same instant in the order in which they were scheduled")
    func meetings() {
        let bench = Bench()
        let timers = (1...3).map { (seconds: Int) in bench.schedule("\(seconds)", after: seconds, every: seconds) }
        bench.schedule("once", after: 6)
        for _ in 1...6 { bench.advance(by: 1) }
        expect(
            bench.log.all,
            is: [
                "1 at 1", "1 at 2", "2 at 2", "1 at 3", "3 at 3", "1 at 4", "2 at 4", "1 at 5", "1 at 6", "2 at 6",
                "3 at 6", "once at 6",
            ])
        for timer in timers { timer?.dispose() }
    }

    @Test("runs a repeated action with a negative delay now, and then at each interval from now on")
    func negativeDelay() {
        let bench = Bench()
        let timer = bench.schedule("timer", after: -3, every: 2)
        for _ in 1...4 { bench.advance(by: 1) }
        expect(bench.log.all, is: ["timer at 0", "timer at 2", "timer at 4"])
        timer?.dispose()
    }

    @Test("runs everything that a leap of the clock has passed, in order")
    func leap() {
        let bench = Bench()
        for second in [5, 1, 4, 2, 3] { bench.schedule("\(second)", after: second) }
        bench.advance(by: 10)
        #expect(bench.log.all == (1...5).map { "\($0) at 10" })
        expect(bench.clock.sleeping, is: 0)
    }

    @Test("matches a sorted list for random operations", .notUnderThreadSanitizer)
    func model() {
        for seed in 1...60 {
            var random = SplitMix64(seed: UInt64(seed))
            let bench = Bench()
            var pending: [(due: Int, name: String, disposable: (any Disposable)?)] = []
            var expected: [String] = []
            var now = 0
            for step in 0..<80 {
                switch random.number(in: 0...5) {
                case 0...2:
                    let delay = random.number(in: 1...9)
                    let disposable = bench.schedule("\(step)", after: delay)
                    let place = pending.firstIndex { $0.due > now + delay } ?? pending.count
                    pending.insert((now + delay, "\(step)", disposable), at: place)
                case 3:
                    guard !pending.isEmpty else { continue }
                    pending.remove(at: random.number(in: 0...pending.count - 1)).disposable?.dispose()
                    bench.run()
                default:
                    let leap = random.number(in: 1...4)
                    now += leap
                    bench.advance(by: leap)
                    expected += pending.filter { $0.due <= now }.map { "\($0.name) at \(now)" }
                    pending.removeAll { $0.due <= now }
                }
                #expect(bench.clock.sleeping == (pending.isEmpty ? 0 : 1))
            }
            expect(bench.log.all, is: expected)
        }
    }

    @Test("has one sleeping task, which is replaced only for earlier actions")
    func oneSleeper() {
        let bench = Bench()
        bench.schedule("b", after: 10)
        expect(bench.clock.requests, is: [.init(.seconds(10), .zero)])
        bench.schedule("c", after: 20)
        expect(bench.clock.requests.count, is: 1)
        expect(bench.clock.sleeping, is: 1)
        bench.schedule("now")
        expect(bench.clock.requests.count, is: 1)
        bench.schedule("a", after: 5)
        expect(bench.clock.requests.suffix(1), is: [.init(.seconds(5), .zero)])
        expect(bench.clock.sleeping, is: 1)
        bench.advance(by: 5)
        expect(bench.clock.requests.suffix(1), is: [.init(.seconds(10), .zero)])
        bench.advance(by: 15)
        expect(bench.log.all, is: ["now at 0", "a at 5", "b at 20", "c at 20"])
        expect(bench.clock.sleeping, is: 0)
        expect(bench.clock.requests.count, is: 3)
    }

    @Test("waits for centuries of a clock")
    func centuries() {
        let bench = Bench()
        let century = 3_155_760_000
        bench.schedule("after 400 years", after: 4 * century)
        bench.advance(by: 3 * century)
        expect(bench.log.all, is: [])
        bench.advance(by: century)
        expect(bench.log.all, is: ["after 400 years at \(4 * century)"])
    }

    @Test("passes the leeway on as a tolerance as long as no other action would be late")
    func leeway() {
        let bench = Bench()
        bench.schedule("lenient", after: 10, leeway: 5)
        expect(bench.clock.requests.last, is: .init(.seconds(10), .seconds(5)))
        bench.schedule("much later", after: 20)
        expect(bench.clock.requests.count, is: 1)
        bench.schedule("between", after: 12, leeway: 1)
        expect(bench.clock.requests.last, is: .init(.seconds(10), .seconds(3)))
        bench.schedule("strict", after: 11)
        expect(bench.clock.requests.last, is: .init(.seconds(10), .seconds(1)))
        expect(bench.clock.sleeping, is: 1)
        // The clock is late, but within the tolerance.
        bench.advance(by: 11)
        expect(bench.log.all, is: ["lenient at 11", "strict at 11"])
        expect(bench.clock.requests.last, is: .init(.seconds(12), .seconds(1)))
        bench.schedule("negative", after: 1, leeway: -1)
        expect(bench.clock.requests.last, is: .init(.seconds(12), .zero))
    }

    @Test("repeats an action without drift, even if the clock wakes it late, until it is disposed of")
    func repeats() {
        let bench = Bench()
        let disposable = bench.schedule("tick", after: 2, every: 10)
        bench.advance(by: 3)
        bench.advance(by: 9)
        bench.advance(by: 11)
        expect(bench.log.all, is: ["tick at 3", "tick at 12", "tick at 23"])
        expect(bench.clock.requests.map(\.deadline), is: [.seconds(2), .seconds(12), .seconds(22), .seconds(32)])
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        bench.run()
        expect(bench.clock.sleeping, is: 0)
        bench.advance(by: 100)
        expect(bench.log.count, is: 3)
    }

    @Test("does not make up for missed runs, and keeps the original schedule")
    func missed() {
        let bench = Bench()
        bench.schedule("tick", after: 1, every: 10)
        bench.advance(by: 1)
        bench.advance(by: 55)
        expect(bench.log.all, is: ["tick at 1", "tick at 56"])
        bench.advance(by: 4)
        bench.advance(by: 1)
        expect(bench.log.all.suffix(1), is: ["tick at 61"])
        // The same if the action itself takes long.
        let slow = Bench()
        let runs = Counter()
        slow.executor.around {
            _ = slow.scheduler.schedule(after: .seconds(1), interval: .seconds(10)) {
                [note = slow.note, clock = slow.clock] in
                note("slow")
                if runs.increment() == 1 { clock.advance(by: .seconds(25)) }
            }
        }
        slow.run()
        slow.advance(by: 1)
        expect(slow.log.all, is: ["slow at 1", "slow at 26"])
        slow.advance(by: 5)
        expect(slow.log.all.suffix(1), is: ["slow at 31"])
    }

    @Test("repeats exactly over long times and with odd intervals")
    func exact() {
        let bench = Bench()
        let interval = Duration.nanoseconds(333_333_333)
        bench.executor.around {
            _ = bench.scheduler.schedule(after: .zero, interval: interval, leeway: .zero) { [note = bench.note] in
                note("tick")
            }
        }
        bench.run()
        bench.clock.advance(by: .seconds(1_000_000_000))
        bench.run()
        expect(bench.log.count, is: 2)
        // The next multiple after that.
        let next = bench.clock.requests.last?.deadline ?? .zero
        #expect(next > .seconds(1_000_000_000))
        #expect(next <= .seconds(1_000_000_000) + interval)
        expect(next.attoseconds % interval.attoseconds, is: 0)
    }

    @Test("drops an action that is disposed of, and wakes the task that sleeps for it")
    func disposes() {
        for isRepeating in [false, true] {
            let bench = Bench()
            let action = { @Sendable in bench.note("wrong") }
            let disposable = bench.executor.around {
                isRepeating
                    ? bench.scheduler.schedule(after: .seconds(5), interval: .seconds(1), action)
                    : bench.scheduler.schedule(after: .seconds(5), action)
            }
            bench.run()
            expect(bench.clock.sleeping, is: 1)
            expect(disposable?.isDisposed, is: false)
            disposable?.dispose()
            disposable?.dispose()
            expect(disposable?.isDisposed, is: true)
            bench.run()
            expect(bench.clock.sleeping, is: 0)
            bench.advance(by: 100)
            #expect(bench.log.all.isEmpty)
        }
    }

    @Test("releases an action at once when it is disposed of, before any task runs")
    func releasesAction() {
        let population = Population()
        let bench = Bench()
        let disposables = bench.executor.around {
            (1...100).map { second in
                bench.scheduler.schedule(after: .seconds(second)) { [member = population.member()] in member.touch() }
            }
        }
        bench.run()
        expect(population.alive, is: 100)
        for (index, disposable) in disposables.enumerated().reversed() {
            disposable?.dispose()
            expect(population.alive, is: index)
        }
        bench.run()
        expect(bench.clock.sleeping, is: 0)
        // Disposing of later actions woke no task.
        expect(bench.clock.requests.map(\.deadline), is: [.seconds(1)])
    }

    @Test("sleeps for the next action when the first one is disposed of")
    func disposesFirst() {
        let bench = Bench()
        let first = bench.schedule("first", after: 1)
        bench.schedule("second", after: 2)
        first?.dispose()
        bench.run()
        expect(bench.clock.sleeping, is: 1)
        expect(bench.clock.requests.map(\.deadline), is: [.seconds(1), .seconds(2)])
        bench.advance(by: 2)
        expect(bench.log.all, is: ["second at 2"])
    }

    @Test("can be disposed of from inside the action, which then does not repeat")
    func disposesInside() {
        let bench = Bench()
        let serial = SerialDisposable()
        bench.executor.around {
            serial.inner = bench.scheduler.schedule(after: .zero, interval: .seconds(1)) {
                bench.note("tick")
                if bench.log.count == 2 { serial.dispose() }
            }
        }
        bench.run()
        bench.advance(by: 1)
        bench.advance(by: 1)
        expect(bench.log.all, is: ["tick at 0", "tick at 1"])
        expect(bench.clock.sleeping, is: 0)
    }

    @Test("is the current scheduler inside its actions, which can schedule others")
    func nested() {
        let bench = Bench()
        bench.executor.around {
            _ = bench.scheduler.schedule {
                bench.note("outer \(CurrentScheduler.value === bench.scheduler)")
                bench.scheduler.schedule { bench.note("nested") }
                bench.scheduler.schedule(after: .seconds(1)) { bench.note("later") }
                bench.note("outer's end")
            }
        }
        bench.run()
        bench.advance(by: 1)
        expect(bench.log.all, is: ["outer true at 0", "outer's end at 0", "nested at 0", "later at 1"])
    }

    @Test("runs waiting actions at the next schedule call after the clock's sleep has failed")
    func failingClock() {
        let bench = Bench()
        bench.clock.failNext()
        bench.schedule("a", after: 1)
        expect(bench.clock.sleeping, is: 0)
        bench.advance(by: 1)
        #expect(bench.log.all.isEmpty)
        bench.schedule("b", after: 1)
        expect(bench.log.all, is: ["a at 1"])
        bench.advance(by: 1)
        expect(bench.log.all, is: ["a at 1", "b at 2"])
    }

    @Test("limits its sleep to what clocks support, even if an action is much later")
    func farAway() {
        let bench = Bench()
        let disposable = bench.executor.around { bench.scheduler.schedule(after: .seconds(Int64.max)) {} }
        bench.run()
        expect(bench.clock.requests.map(\.deadline), is: [.seconds(315_576_000)])
        bench.advance(by: 315_576_000)
        expect(bench.clock.requests.map(\.deadline), is: [.seconds(315_576_000), .seconds(631_152_000)])
        disposable?.dispose()
        bench.run()
        expect(bench.clock.sleeping, is: 0)
    }

    @Test("limits its tolerance to what clocks support")
    func longestLeeway() {
        let bench = Bench()
        let disposable = bench.executor.around {
            bench.scheduler.schedule(after: .seconds(1), leeway: Duration(attoseconds: .max)) {}
        }
        bench.run()
        expect(bench.clock.requests, is: [.init(.seconds(1), .seconds(315_576_000))])
        disposable?.dispose()
        bench.run()
        expect(bench.clock.sleeping, is: 0)
    }

    @Test(
        "handles many actions with leeway without searching all of them for each change",
        .notUnderSanitizers)
    func manyWithLeeway() {
        let bench = Bench()
        bench.executor.around {
            let disposables = (0..<300_000).map { number in
                bench.scheduler.schedule(after: .seconds(1_000 + number % 100), leeway: .seconds(1_000)) {}
            }
            // Each is the first due and has no leeway: when it is removed, the maximum sleep has to be computed again.
            for _ in 0..<10_000 { bench.scheduler.schedule(after: .seconds(1), leeway: .zero) {}?.dispose() }
            for disposable in disposables { disposable?.dispose() }
        }
        bench.run()
        expect(bench.clock.sleeping, is: 0)
    }

    @Test("runs each action with its own task-locals even if one task sleeps for all of them")
    func ownTaskLocals() {
        let (clock, executor, log) = (ManualClock(), ManualTaskExecutor(), Log<Int>())
        let scheduler = ClockScheduler(clock, propagating: Locals.$number)
        for number in 1...3 {
            executor.around {
                Locals.$number.withValue(number) {
                    _ = scheduler.schedule(after: .seconds(5)) { log.append(Locals.number) }
                }
            }
        }
        executor.runAll()
        clock.advance(by: .seconds(5))
        executor.runAll()
        expect(log.all, is: [1, 2, 3])
    }

    @Test("runs immediate and delayed actions with its given priority")
    func priority() {
        let (clock, executor, log) = (ManualClock(), ManualTaskExecutor(), Log<Bool>())
        let scheduler = ClockScheduler(clock, priority: .low)
        executor.around {
            scheduler.schedule(after: .seconds(1)) { log.append(Task.currentPriority == .low) }
            scheduler.schedule { log.append(Task.currentPriority == .low) }
        }
        executor.runAll()
        clock.advance(by: .seconds(1))
        executor.runAll()
        expect(log.all, is: [true, true])
    }

    @Test("does not nest due actions if its sleeping task resumes during an action")
    func awakesInside() {
        let (clock, executor, log) = (ManualClock(), HandDrivenExecutor(), Log<String>())
        let scheduler = ClockScheduler(clock)
        executor.within { _ = scheduler.schedule(after: .seconds(5)) { log.append("later") } }
        executor.run()
        executor.within {
            _ = scheduler.schedule {
                log.append("begins")
                clock.advance(by: .seconds(5))
                executor.run()
                log.append("ends")
            }
        }
        executor.run()
        expect(log.all, is: ["begins", "ends", "later"])
    }

    @Test("removes a repeating action that another action due at the same time disposes of")
    func disposedBeforeItsTurn() {
        let bench = Bench()
        let repeating = SerialDisposable()
        bench.executor.around {
            bench.scheduler.schedule(after: .seconds(1)) { repeating.dispose() }
            repeating.inner = bench.scheduler.schedule(after: .seconds(1), interval: .seconds(50)) {}
            bench.scheduler.schedule(after: .seconds(10)) {}
        }
        bench.run()
        bench.advance(by: 1)
        expect(bench.scheduler.waitingCount, is: 1)
    }

    @Test("cancels a sleep that is replaced before its task is known")
    func supersededAtOnce() {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let (isFirst, hasCome) = (DoneFlag(), Locked<(@Sendable () -> Void)?>(nil))
        let executor = HandDrivenExecutor { hasCome.withLock { $0.take() }?() }
        // When the sleeping task is created.
        hasCome.withLock {
            $0 = {
                isFirst.raise()
                _ = scheduler.schedule(after: .seconds(1)) {}
            }
        }
        executor.within { _ = scheduler.schedule(after: .seconds(5)) {} }
        #expect(isFirst.isRaised)
        executor.run()
        expect(clock.sleeping, is: 1)
        clock.failSleeps()
        executor.run()
    }

    @Test("does not cancel a task that has finished sleeping before it is known, and runs actions")
    func overAtOnce() {
        let (clock, log) = (ManualClock(), Log<String>())
        let scheduler = ClockScheduler(clock)
        let (isInside, goOn) = (Latch("the action"), Latch("the schedule"))
        let (runner, thread) = (Locked<HandDrivenExecutor?>(nil), Locked<TestThread?>(nil))
        let hasCome = Locked<(@Sendable () -> Void)?>(nil)
        let executor = HandDrivenExecutor { hasCome.withLock { $0.take() }?() }
        runner.withLock { $0 = executor }
        // When the sleeping task is created: it wakes at once, on another thread.
        hasCome.withLock {
            $0 = {
                clock.advance(by: .seconds(5))
                let started = TestThread("sleeper") { runner.withLock { $0 }?.run() }
                thread.withLock { $0 = started }
                isInside.wait()
            }
        }
        executor.within {
            _ = scheduler.schedule(after: .seconds(5)) {
                isInside.open()
                goOn.wait()
                log.append("cancelled \(Task.isCancelled)")
            }
        }
        goOn.open()
        thread.withLock { $0 }?.join()
        expect(log.all, is: ["cancelled false"])
        runner.withLock { $0 = nil }
    }

    @Test("lives until its last action has run, even if nothing else retains it")
    func lives() {
        let population = Population()
        let clock = ManualClock()
        let executor = ManualTaskExecutor()
        let log = Log<String>()
        weak var weakly: ClockScheduler<ManualClock>?
        do {
            let scheduler = ClockScheduler(clock)
            weakly = scheduler
            executor.around {
                _ = scheduler.schedule(after: .seconds(1)) { [member = population.member()] in
                    member.touch()
                    log.append("ran")
                }
            }
            executor.runAll()
        }
        #expect(weakly != nil)
        clock.advance(by: .seconds(1))
        executor.runAll()
        expect(log.all, is: ["ran"])
        expect(population.alive, is: 0)
        #expect(weakly == nil)
    }

    @Test("is released after its last action is disposed of")
    func goesWithDisposal() {
        let clock = ManualClock()
        let executor = ManualTaskExecutor()
        weak var weakly: ClockScheduler<ManualClock>?
        let disposable = {
            let scheduler = ClockScheduler(clock)
            weakly = scheduler
            return executor.around { scheduler.schedule(after: .seconds(1), interval: .seconds(1)) {} }
        }()
        executor.runAll()
        #expect(weakly != nil)
        disposable?.dispose()
        executor.runAll()
        #expect(weakly == nil)
    }

    @Test("does not accumulate disposed actions behind a pending one")
    func doesNotGrow() {
        let bench = Bench()
        bench.schedule("first", after: 1)
        for _ in 0..<10_000 {
            bench.executor.around { bench.scheduler.schedule(after: .seconds(1_000)) {} }?.dispose()
        }
        #expect(bench.scheduler.waitingCount < 100)
    }

    @Test("carries the given task-locals and the task context of the scheduling code")
    func taskLocals() {
        let clock = ManualClock()
        let executor = ManualTaskExecutor()
        let scheduler = ClockScheduler(clock, propagating: Locals.$number, Locals.$name)
        let log = Log<String>()
        let counter = TaskCounter()
        Locals.$number.withValue(1) {
            Locals.$name.withValue("one") {
                executor.around {
                    _ = scheduler.schedule(after: .seconds(1)) { log.append("\(Locals.number) \(Locals.name)") }
                }
            }
        }
        LibraryTask.$context.withValue(TaskContext(executor: executor, counter: counter)) {
            _ = scheduler.schedule {
                log.append("\(Locals.number) \(Locals.name) \(LibraryTask.context?.counter === counter)")
            }
        }
        // A scope does not wait for the work of a shared scheduler.
        #expect(counter.isEmpty)
        executor.runAll()
        clock.advance(by: .seconds(1))
        executor.runAll()
        expect(log.all, is: ["0 none true", "1 one"])
    }

    @Test("traps unless the interval is positive")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ClockScheduler(ContinuousClock()).schedule(after: .zero, interval: .zero) {}
        }
        zero.expectTrap("ClockScheduler.schedule(interval: 0.0 seconds): the interval must be positive")
    }

    @Test("runs on the system's clocks")
    func systemClocks() async {
        let continuous = ClockScheduler(ContinuousClock())
        let begin = continuous.now
        await withCheckedContinuation { continuation in
            _ = continuous.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
        #expect(begin.duration(to: continuous.now) >= .milliseconds(1))
        let suspending = ClockScheduler(SuspendingClock())
        await withCheckedContinuation { continuation in
            _ = suspending.schedule { continuation.resume() }
        }
    }

    @Test("works with timed operators")
    func operators() {
        let bench = Bench()
        let (source, input) = Signal<Int, Never>.pipe()
        bench.executor.around {
            _ = source.debounce(.seconds(2), on: bench.scheduler).observeNext { [note = bench.note] in note("\($0)") }
            input.sendNext(1)
            bench.run()
            bench.advance(by: 1)
            input.sendNext(2)
            bench.run()
            bench.advance(by: 1)
            bench.advance(by: 1)
        }
        expect(bench.log.all, is: ["2 at 3"])
    }

    @Test("is serial and loses no action while threads schedule and dispose and the clock advances")
    func threads() async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let population = Population()
        // Not atomic: guarded by the scheduler only.
        let state = SinkState(0)
        let kept = Counter()
        let most = 4 * raceRounds
        await onThread("clock scheduler") {
            onThreads(4, "clock scheduler") { index in
                var random = SplitMix64(seed: UInt64(index + 1))
                for _ in 0..<raceRounds {
                    let member = population.member()
                    let isWrong = random.once(in: 3)
                    let scheduled = scheduler.schedule(after: .seconds(isWrong ? 100 : random.number(in: 0...3))) {
                        member.touch()
                        state.value += 1
                    }
                    if isWrong { scheduled?.dispose() } else { kept.increment() }
                    if random.once(in: 50) { clock.advance(by: .seconds(1)) }
                }
            }
        }
        // Nothing that was disposed of was due at that time, but the clock has advanced since.
        let isOver = await eventually {
            clock.advance(by: .milliseconds(1))
            return population.alive == 0
        }
        #expect(isOver)
        #expect(state.value >= kept.value)
        #expect(state.value <= most)
    }

    @Test("runs an action at most once when disposal races with the clock, and leaves no task sleeping")
    func races() async {
        let population = Population()
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let wrong = await onThread("clock scheduler races") {
            let wrong = Counter()
            for _ in 0..<raceRounds {
                let runs = Counter()
                let member = population.member()
                let scheduled = scheduler.schedule(after: .seconds(1)) {
                    member.touch()
                    runs.increment()
                }
                onThreads(2, "clock scheduler race") { index in
                    if index == 0 { clock.advance(by: .seconds(1)) } else { scheduled?.dispose() }
                }
                if runs.value > 1 || scheduled?.isDisposed != true { wrong.increment() }
            }
            return wrong.value
        }
        expect(wrong, is: 0)
        #expect(await eventually { population.alive == 0 && clock.sleeping == 0 })
    }
}

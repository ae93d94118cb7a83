import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// An actor with state, on an executor that counts its jobs.
private actor Diary {
    nonisolated let executor: ManualExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var lines: [String] = []
    var start: (any Disposable)?
    private let member: Population.Member?

    init(_ executor: ManualExecutor, _ member: Population.Member? = nil) {
        self.executor = executor
        self.member = member
    }

    func follow(_ source: Source) -> any Disposable {
        source.observeIsolated { event in self.lines.append(event.text) }
    }

    func followUntilTwo(_ source: Source) {
        start = source.observeIsolated { event in
            self.lines.append(event.text)
            if event.value == 2 { self.start?.dispose() }
        }
    }

    func note(_ line: String) { lines.append(line) }
}

extension Diary {
    /// Calls the actor from the thread of the test.
    nonisolated fileprivate func now<Result: Sendable>(_ body: @Sendable (isolated Diary) -> Result) -> Result {
        executor.hold { assumeIsolated { body($0) } }
    }
}

@MainActor
private final class Screen {
    var lines: [String] = []

    func follow(_ source: Source) -> any Disposable {
        source.observeIsolated { event in self.lines.append(event.text) }
    }

    func followValues(_ source: Signal<Int, Never>, _ done: @escaping @Sendable () -> Void) {
        source.observeNextIsolated { value in
            self.lines.append("\(value)")
            if value == 0 { done() }
        }
    }
}

@Suite("observeIsolated", .watched)
struct ObserveIsolatedTests {
    @Test("delivers all pending events in order with one job on the actor's executor")
    func oneHop() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let executor = ManualExecutor()
            let diary = Diary(executor)
            let (source, input) = Source.pipe()
            let disposable = diary.now { $0.follow(source) }
            for value in 1...1_000 { input.sendNext(value) }
            input.send(event)
            expect(executor.total, is: 1)
            #expect(diary.now { $0.lines }.isEmpty)
            #expect(!disposable.isDisposed)
            expect(executor.runAll(), is: 1)
            #expect(diary.now { $0.lines } == (1...1_000).map { "\($0)" } + [event.text])
            #expect(disposable.isDisposed)
        }
    }

    @Test("hops again for later events, and lets other jobs run between two batches")
    func batches() {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let scheduler = ActorScheduler(diary)
        let (source, input) = Source.pipe()
        let disposable = diary.now { diary in
            source.observeIsolated { event in
                diary.note(event.text)
                if event.value == 1 {
                    input.sendNext(3)
                    scheduler.schedule { diary.assumeIsolated { $0.note("another's") } }
                }
            }
        }
        input.sendNext(1)
        input.sendNext(2)
        expect(executor.runAll(), is: 3)
        expect(diary.now { $0.lines }, is: ["1", "2", "another's", "3"])
        input.sendNext(4)
        expect(executor.runAll(), is: 1)
        expect(diary.now { $0.lines }.last, is: "4")
        disposable.dispose()
    }

    @Test("stops calling once it is disposed of on the actor, even in the middle of a batch")
    func disposedInside() {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let (source, input) = Source.pipe()
        diary.now { $0.followUntilTwo(source) }
        for value in 1...4 { input.sendNext(value) }
        executor.runAll()
        input.sendNext(5)
        input.sendCompleted()
        expect(executor.runAll(), is: 0)
        expect(diary.now { $0.lines }, is: ["1", "2"])
    }

    @Test("drops pending events when it is disposed of, and releases values and closure at once")
    func disposedOnTheWay() {
        let population = Population()
        let executor = ManualExecutor()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let calls = Counter()
        let disposable = {
            let diary = Diary(executor, population.member())
            return diary.now { diary in
                source.observeNextIsolated { _ in
                    diary.note("called")
                    calls.increment()
                }
            }
        }()
        input.sendNext(population.member())
        expect(population.alive, is: 2)
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        #expect(disposable.isDisposed)
        // The pending job retains the actor, as the runtime requires.
        expect(population.alive, is: 1)
        input.sendNext(population.member())
        executor.runAll()
        expect(calls.value, is: 0)
        expect(population.alive, is: 0)
    }

    @Test("releases the closure after the terminal event, even if the signal and the disposable are retained")
    func releasesAfterTheEnd() {
        let population = Population()
        let executor = ManualExecutor()
        let (source, input) = Source.pipe()
        let disposable = {
            let diary = Diary(executor, population.member())
            return diary.now { $0.follow(source) }
        }()
        input.sendNext(1)
        executor.runAll()
        expect(population.alive, is: 1)
        input.sendCompleted()
        executor.runAll()
        expect(population.alive, is: 0)
        withExtendedLifetime((source, disposable)) {}
    }

    @Test("is interrupted if the signal has terminated, and after earlier values if its input is released")
    func interrupted() {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        diary.now { diary in
            _ = diary.follow(Source.empty)
            let (source, input) = Source.pipe()
            _ = diary.follow(source)
            input.sendNext(1)
        }
        executor.runAll()
        expect(diary.now { $0.lines }, is: ["interrupted", "1", "interrupted"])
    }

    @Test("retains neither the closure nor a signal that can no longer send", arguments: [false, true])
    func forgotten(isIsolated: Bool) {
        let population = Population()
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let disposable = diary.now { diary in
            let (source, input) = Source.pipe()
            let member = population.member()
            let result = source.map { value in
                member.touch()
                return value
            }
            _ = input
            return isIsolated ? result.observeIsolated { event in diary.note(event.text) } : result.observe { _ in }
        }
        executor.runAll()
        expect(population.alive, is: 0)
        withExtendedLifetime(disposable) {}
    }

    @Test("delivers only values, or values and errors as results")
    func valuesAndResults() {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let (values, valueInput) = Signal<Int, Never>.pipe()
        let (results, resultInput) = Source.pipe()
        let (ending, endingInput) = Source.pipe()
        let disposables = diary.now { diary in
            [
                values.observeNextIsolated { diary.note("value \($0)") },
                results.observeResultIsolated { diary.note("result \($0)") },
                ending.observeResultIsolated { diary.note("result \($0)") },
            ]
        }
        valueInput.sendNext(1)
        valueInput.sendCompleted()
        executor.runAll()
        resultInput.sendNext(2)
        resultInput.sendError(.second)
        executor.runAll()
        endingInput.sendCompleted()
        executor.runAll()
        expect(
            diary.now { $0.lines },
            is: [
                "value 1", "result success(2)", "result failure(TestSupport.TestError.second)",
            ])
        expect(disposables.map(\.isDisposed), is: [true, true, true])
    }

    @Test("waits for an asynchronous closure to return before it delivers the next event")
    func suspends() async {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let (source, input) = Source.pipe()
        let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
        let disposable = diary.now { diary in
            source.observeIsolated { event in
                diary.note("\(event.text) begins")
                if event.value == 1 {
                    await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
                }
                diary.note("\(event.text) ends")
            }
        }
        input.sendNext(1)
        input.sendNext(2)
        executor.runAll()
        input.sendNext(3)
        expect(executor.runAll(), is: 0)
        expect(diary.now { $0.lines }, is: ["1 begins"])
        waiting.withLock { $0.take() }?.resume()
        // The closure returns to the actor by way of the pool.
        #expect(await eventually { executor.waiting == 1 })
        executor.runAll()
        expect(
            diary.now { $0.lines }, is: ["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"])
        disposable.dispose()
    }

    @Test("lets main-actor code access its own state")
    @MainActor
    func mainActor() async {
        let screen = Screen()
        let (source, input) = Signal<Int, Never>.pipe()
        await withCheckedContinuation { continuation in
            screen.followValues(source) { continuation.resume() }
            for value in (0...100).reversed() { input.sendNext(value) }
            // Not delivered while sending.
            #expect(screen.lines.isEmpty)
        }
        #expect(screen.lines == (0...100).reversed().map { "\($0)" })
    }

    @Test("lets a main-actor test access its local variables")
    @MainActor
    func localVariable() async {
        var sum = 0
        let (source, input) = Signal<Int, Never>.pipe()
        await withCheckedContinuation { continuation in
            source.observeIsolated { event in
                if let value = event.value { sum += value } else { continuation.resume() }
            }
            for value in 1...100 { input.sendNext(value) }
            input.sendCompleted()
        }
        expect(sum, is: 5_050)
    }

    @Test("without an actor, calls the closure on a task of the library, in order, one call at a time")
    func nonisolated() {
        let executor = ManualTaskExecutor()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        executor.around {
            _ = source.observeIsolated { event in log.append(event.text) }
        }
        for value in 1...3 { input.sendNext(value) }
        #expect(log.all.isEmpty)
        expect(executor.total, is: 1)
        executor.runAll()
        input.sendCompleted()
        executor.runAll()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("transfers non-Sendable state even without an actor")
    func sending() {
        final class Sum {
            var value = 0
        }
        let executor = ManualTaskExecutor()
        let (source, input) = Signal<Int, Never>.pipe()
        let log = Log<Int>()
        executor.around {
            let sum = Sum()
            var count = 0
            _ = source.observeNextIsolated { value in
                sum.value += value
                count += 1
                log.append(sum.value * count)
            }
        }
        for value in 1...4 {
            input.sendNext(value)
            executor.runAll()
        }
        expect(log.all, is: [1, 6, 18, 40])
        // The end of the stream takes a job, too.
        input.sendCompleted()
        executor.runAll()
    }

    @Test("hops with the task context of the observer, not of the sender")
    func taskContext() {
        let counter = TaskCounter()
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let (source, input) = Source.pipe()
        let disposable = LibraryTask.$context.withValue(TaskContext(counter: counter)) {
            diary.now { $0.follow(source) }
        }
        #expect(counter.isEmpty)
        input.sendNext(1)
        #expect(!counter.isEmpty)
        executor.runAll()
        #expect(counter.isEmpty)
        expect(diary.now { $0.lines }, is: ["1"])
        disposable.dispose()
    }

    @Test("hops with the base priority of the observing task, even if that was escalated")
    func priority() {
        let (executor, log) = (HandDrivenExecutor(), Log<Bool>())
        let (signal, input) = Signal<Int, Never>.pipe()
        for isRaised in [false, true] {
            executor.within {
                _ = LibraryTask.start(priority: .low) {
                    if isRaised, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                        withUnsafeCurrentTask { $0?.escalatePriority(to: .high) }
                    }
                    signal.observeNextIsolated { _ in log.append(Task.basePriority == .low) }
                }
            }
        }
        executor.run()
        executor.within { input.sendNext(1) }
        executor.run()
        expect(log.all, is: [true, true])
        // The end of the stream takes a job, too.
        input.sendCompleted()
        executor.run()
    }

    @Test("preserves the order of each sender when threads of different priorities send")
    func order() async {
        let (source, input) = Signal<[Int], Never>.pipe()
        let state = Ordered()
        await withCheckedContinuation { continuation in
            Task {
                await state.follow(source) { continuation.resume() }
                let priorities: [TaskPriority] = [.high, .low, .medium, .background]
                await withTaskGroup { group in
                    for (index, priority) in priorities.enumerated() {
                        group.addTask(priority: priority) {
                            for number in 0..<raceRounds { input.sendNext([index, number]) }
                        }
                    }
                }
                input.sendCompleted()
            }
        }
        #expect(await state.isOrdered)
        #expect(await state.count == 4 * raceRounds)
    }

    @Test("when disposal races with sending, delivers a prefix, then nothing, and releases everything")
    func races() async {
        let population = Population()
        for round in 0..<raceRounds {
            let (source, input) = Signal<Int, Never>.pipe()
            let prefix = Prefix(population.member())
            let disposable = await prefix.follow(source)
            await onThread("race \(round)") {
                onThreads(2, "race") { index in
                    if index == 0 {
                        for value in 0..<4 { input.sendNext(value) }
                    } else {
                        disposable.dispose()
                    }
                }
            }
            let seen = await prefix.seen
            expect(seen, is: Array(0..<seen.count))
            input.sendNext(9)
            #expect(await prefix.seen == seen)
        }
        #expect(await eventually { population.alive == 0 })
    }
}

private actor Ordered {
    var count = 0
    var isOrdered = true
    private var last = [-1, -1, -1, -1]

    func follow(_ source: Signal<[Int], Never>, _ done: @escaping @Sendable () -> Void) {
        source.observeIsolated { event in
            guard case .next(let pair) = event else { return done() }
            if pair[1] != self.last[pair[0]] + 1 { self.isOrdered = false }
            self.last[pair[0]] = pair[1]
            self.count += 1
        }
    }
}

private actor Prefix {
    var seen: [Int] = []
    private let member: Population.Member

    init(_ member: Population.Member) { self.member = member }

    func follow(_ source: Signal<Int, Never>) -> any Disposable {
        source.observeNextIsolated { self.seen.append($0) }
    }
}

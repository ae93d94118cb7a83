import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private typealias Work = SignalProducer<Int, TestError>

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

    func fill(from work: Work) -> any Disposable {
        work.startIsolated { event in self.lines.append(event.text) }
    }

    func fillUntilTwo(from work: Work) {
        start = work.startIsolated { event in
            self.lines.append(event.text)
            if event.value == 2 { self.start?.dispose() }
        }
    }

    func fillWithValues(from work: SignalProducer<Int, Never>) -> any Disposable {
        work.startWithNextIsolated { self.lines.append("value \($0)") }
    }

    func fillWithResults(from work: Work) -> any Disposable {
        work.startWithResultIsolated { result in
            switch result {
            case .success(let value): self.lines.append("success \(value)")
            case .failure(let error): self.lines.append("failure \(error)")
            }
        }
    }

    nonisolated func now<Result: Sendable>(_ body: @Sendable (isolated Diary) -> Result) -> Result {
        executor.hold { assumeIsolated { body($0) } }
    }
}

@MainActor
private final class Screen {
    var lines: [String] = []

    func show(_ work: Work, _ done: @escaping @Sendable () -> Void) {
        work.startIsolated { event in
            self.lines.append(event.text)
            if event.isTerminating { done() }
        }
    }
}

@Suite("startIsolated", .watched)
struct StartIsolatedTests {
    @Test("starts the work immediately, and delivers its events in one job of the actor's executor")
    func oneHop() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let executor = ManualExecutor()
            let diary = Diary(executor)
            let starts = Counter()
            let work = Work { observer, _ in
                starts.increment()
                for value in 1...100 { observer.sendNext(value) }
                observer.send(event)
            }
            let disposable = diary.now { $0.fill(from: work) }
            expect(starts.value, is: 1)
            expect(executor.total, is: 1)
            #expect(diary.now { $0.lines }.isEmpty)
            executor.runAll()
            #expect(diary.now { $0.lines } == (1...100).map { "\($0)" } + [event.text])
            expect(executor.total, is: 1)
            #expect(disposable.isDisposed)
        }
    }

    @Test("delivers all events of every kind of work", arguments: ["value", "ended", "handler", "chain"])
    func kinds(kind: String) {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let (work, expected): (Work, [String]) =
            switch kind {
            case "value": (Work(value: 5), ["5", "completed"])
            case "ended": (Work(error: .second), ["error second"])
            case "handler": (Work { observer, _ in observer.sendCompleted() }, ["completed"])
            default: (Work([1, 2, 3]).map { $0 * 2 }, ["2", "4", "6", "completed"])
            }
        diary.now { _ = $0.fill(from: work) }
        executor.runAll()
        expect(diary.now { $0.lines }, is: expected)
    }

    @Test("on disposal cancels the work, drops pending events, and sends no interruption")
    func disposes() {
        let population = Population()
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let cancelled = Counter()
        let work = Work { [member = population.member()] observer, lifetime in
            member.touch()
            // Retains the observer, whose release would end the work.
            lifetime.observeEnded { withExtendedLifetime(observer) { _ = cancelled.increment() } }
            observer.sendNext(1)
        }
        let disposable = diary.now { $0.fill(from: work) }
        expect(cancelled.value, is: 0)
        disposable.dispose()
        disposable.dispose()
        expect(cancelled.value, is: 1)
        #expect(disposable.isDisposed)
        executor.runAll()
        #expect(diary.now { $0.lines }.isEmpty)
    }

    @Test("calls the closure no more once it is disposed of on the actor")
    func disposedInside() {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let cancelled = Counter()
        diary.now { diary in
            diary.fillUntilTwo(
                from: Work { observer, lifetime in
                    lifetime.observeEnded { withExtendedLifetime(observer) { _ = cancelled.increment() } }
                    for value in 1...4 { observer.sendNext(value) }
                })
        }
        expect(cancelled.value, is: 0)
        executor.runAll()
        expect(diary.now { $0.lines }, is: ["1", "2"])
        expect(cancelled.value, is: 1)
    }

    @Test("delivers only values, or results, with the matching forms")
    func valuesAndResults() {
        let executor = ManualExecutor()
        let diary = Diary(executor)
        let disposables = diary.now { diary in
            [
                diary.fillWithValues(from: SignalProducer([1, 2])),
                diary.fillWithResults(from: Work([3]).concat(Work(error: .first))),
                diary.fillWithResults(from: Work(value: 4)),
            ]
        }
        expect(executor.runAll(), is: 3)
        expect(
            diary.now { $0.lines }, is: ["value 1", "value 2", "success 3", "failure first", "success 4"])
        expect(disposables.map(\.isDisposed), is: [true, true, true])
    }

    @Test("releases the closure after the end, even while the disposable is held")
    func releases() {
        let population = Population()
        let executor = ManualExecutor()
        let disposable = {
            let diary = Diary(executor, population.member())
            return diary.now { $0.fill(from: Work(value: 1)) }
        }()
        expect(population.alive, is: 1)
        executor.runAll()
        expect(population.alive, is: 0)
        withExtendedLifetime(disposable) {}
    }

    @Test("lets main actor code touch its own state")
    @MainActor
    func mainActor() async {
        let screen = Screen()
        await withCheckedContinuation { continuation in
            screen.show(Work(1...100)) { continuation.resume() }
            #expect(screen.lines.isEmpty)
        }
        #expect(screen.lines == (1...100).map { "\($0)" } + ["completed"])
    }

    @Test("delivers a prefix of the events and releases everything when it races with disposal")
    func races() async {
        let population = Population()
        for round in 0..<raceRounds {
            let prefix = Prefix(population.member())
            let (source, input) = Signal<Int, Never>.pipe()
            let disposable = await prefix.follow(source.producer)
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
        }
        #expect(await eventually { population.alive == 0 })
    }
}

private actor Prefix {
    var seen: [Int] = []
    private let member: Population.Member

    init(_ member: Population.Member) { self.member = member }

    func follow(_ source: SignalProducer<Int, Never>) -> any Disposable {
        source.startWithNextIsolated { self.seen.append($0) }
    }
}

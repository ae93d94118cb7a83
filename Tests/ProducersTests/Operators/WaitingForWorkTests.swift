import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("SignalProducer.waitingForWork()", .watched)
struct WaitingForWorkTests {
    private let executor = HandDrivenExecutor()
    private let scheduler = TestScheduler()
    private let log = Log<String>()

    private func start(_ producer: Numbers) -> any Disposable {
        executor.within { producer.start { [log] in log.append($0.text) } }
    }

    private func work(_ errand: Errand) -> Numbers {
        Numbers.async { () async throws(TestError) in try await errand.run() }
    }

    /// Not async, so that it does not run the tasks.
    private func passSecond() { scheduler.advance(by: .seconds(1)) }

    @Test("sends the end of work without tasks at once, on the thread that ends it")
    func synchronous() {
        for end in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            log.removeAll()
            let (signal, input) = Signal<Int, TestError>.pipe()
            let disposable = start(SignalProducer(signal).waitingForWork())
            input.sendNext(1)
            expect(log.all, is: ["1"])
            input.send(end)
            expect(log.all, is: ["1", end.text])
            #expect(disposable.isDisposed)
        }
        log.removeAll()
        _ = start(Numbers([1, 2]).waitingForWork())
        _ = start(Numbers(error: .second).waitingForWork())
        _ = start(Numbers { _, _ in }.waitingForWork())
        expect(log.all, is: ["1", "2", "completed", "error second", "interrupted"])
    }

    @Test("sends the value of a function at once, and the end when its task has ended")
    func function() {
        let errand = Errand()
        let disposable = start(work(errand).waitingForWork())
        executor.run()
        errand.finish(.success(7))
        executor.run()
        expect(log.all, is: ["7", "completed"])
        expect(errand.cancellations.value, is: 0)
        #expect(disposable.isDisposed)
    }

    @Test("holds the error of a timeout until the function has returned")
    func timeout() {
        let errand = Errand()
        _ = start(work(errand).timeout(after: .seconds(1), raising: .first, on: scheduler).waitingForWork())
        executor.run()
        scheduler.advance(by: .seconds(2))
        executor.run()
        expect(errand.cancellations.value, is: 1)
        expect(log.all, is: [])
        errand.finish(.success(7))
        executor.run()
        expect(log.all, is: ["error first"])
    }

    @Test("drops values after a disposal, and is interrupted when the function has returned")
    func disposal() {
        let errand = Errand()
        let disposable = start(work(errand).waitingForWork())
        executor.run()
        disposable.dispose()
        #expect(disposable.isDisposed)
        expect(errand.cancellations.value, is: 1)
        executor.run()
        expect(log.all, is: [])
        errand.finish(.success(7))
        executor.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("is interrupted instead of the error that it holds when it is disposed of")
    func disposalWhileHolding() {
        let errand = Errand()
        let disposable = start(
            work(errand).timeout(after: .seconds(1), raising: .first, on: scheduler).waitingForWork())
        executor.run()
        scheduler.advance(by: .seconds(2))
        disposable.dispose()
        errand.finish(.success(7))
        executor.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("is interrupted at once if no work has begun, or none goes on")
    func disposalWithoutWork() {
        start(work(Errand()).start(on: scheduler).waitingForWork()).dispose()
        start(Numbers.never.waitingForWork()).dispose()
        expect(log.all, is: ["interrupted", "interrupted"])
        let errand = Errand()
        start(work(errand).waitingForWork()).dispose()
        expect(log.all.count, is: 2, "the task has not run")
        executor.run()
        expect(log.all.count, is: 3)
        expect(errand.calls.value, is: 0)
    }

    @Test("continues in no task that has been cancelled, and outside what it counts")
    func afterwards() {
        let (errand, next) = (Errand(), Errand())
        executor.within {
            _ = work(errand).timeout(after: .seconds(1), raising: .first, on: scheduler).waitingForWork()
                .flatMapError { [log] _ in
                    log.append("cancelled: \(Task.isCancelled)")
                    return work(next)
                }
                .start { [log] in log.append($0.text) }
        }
        executor.run()
        scheduler.advance(by: .seconds(1))
        errand.finish(.success(7))
        executor.run()
        expect(log.all, is: ["cancelled: false"])
        next.finish(.success(8))
        executor.run()
        expect(log.all, is: ["cancelled: false", "8", "completed"])
    }

    @Test("keeps the attempts of a retry apart")
    func retry() {
        let errands = [Errand(), Errand()]
        let attempts = Counter()
        let producer = Numbers.deferred { work(errands[attempts.increment() - 1]) }
            .timeout(after: .seconds(1), raising: .first, on: scheduler)
            .waitingForWork()
            .retry(upTo: 1)
        _ = start(producer)
        for (index, errand) in errands.enumerated() {
            executor.run()
            expect(attempts.value, is: index + 1)
            scheduler.advance(by: .seconds(5))
            executor.run()
            expect(attempts.value, is: index + 1)
            errand.finish(.failure(.second))
        }
        expect(log.all, is: [])
        executor.run()
        expect(log.all, is: ["error first"])
    }

    @Test("waits for inner streams that have been abandoned, also superseded ones")
    func inner() {
        let errands = [Errand(), Errand(), Errand()]
        _ = start(
            Numbers([0, 1, 2]).flatMap(.merge) { work(errands[$0]) }.take(first: 1).waitingForWork())
        executor.run()
        errands[1].finish(.success(1))
        executor.run()
        expect(log.all, is: ["1"])
        expect(errands.map(\.cancellations.value), is: [1, 0, 1])
        errands[0].finish(.success(0))
        executor.run()
        expect(log.all, is: ["1"])
        errands[2].finish(.failure(.first))
        executor.run()
        expect(log.all, is: ["1", "completed"])

        log.removeAll()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let superseded = [Errand(), Errand()]
        _ = start(SignalProducer(signal).flatMap(.latest) { work(superseded[$0]) }.waitingForWork())
        for number in 0...1 {
            input.sendNext(number)
            executor.run()
        }
        input.sendCompleted()
        superseded[1].finish(.success(5))
        executor.run()
        expect(log.all, is: ["5"])
        superseded[0].finish(.success(4))
        executor.run()
        expect(log.all, is: ["5", "completed"])
    }

    @Test("lets `flatMap` begin a stream only when the function of another one has returned")
    func limit() {
        let errands = (0..<3).map { _ in Errand() }
        _ = start(
            Numbers([0, 1, 2]).flatMap(.concurrent(limit: 2)) { number in
                work(errands[number]).timeout(after: .seconds(1), switchingTo: .init(value: -1), on: scheduler)
                    .waitingForWork()
            })
        executor.run()
        scheduler.advance(by: .seconds(1))
        executor.run()
        expect(log.all, is: ["-1", "-1"])
        expect(errands.map(\.calls.value), is: [1, 1, 0])
        errands[1].finish(.success(1))
        executor.run()
        expect(errands.map(\.calls.value), is: [1, 1, 1])
        errands[0].finish(.success(0))
        errands[2].finish(.success(2))
        executor.run()
        expect(log.all, is: ["-1", "-1", "2", "completed"])
    }

    @Test("does not wait for shared work, nor for what an observer starts")
    func others() {
        let (shared, other) = (Errand(), Errand())
        let disposable = start(work(shared).replayLazily(upTo: 1).waitingForWork())
        executor.run()
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        executor.within {
            _ = Numbers([1]).waitingForWork().on(next: { _ in _ = work(other).start() })
                .startWithCompleted { [log] in log.append("not waited") }
        }
        expect(log.all, is: ["interrupted", "not waited"])
        shared.finish(.success(1))
        other.finish(.success(1))
        executor.run()
    }

    @Test("counts as work of the scope around it, until it has ended")
    func scope() async {
        let errand = Errand()
        let start = executor.within {
            work(errand).timeout(after: .seconds(1), raising: .first, on: scheduler).waitingForWork()
                .flatMapError { _ in Numbers.empty }
                .startAwaitable { [log] in log.append($0.text) }
        }
        executor.run()
        passSecond()
        expect(log.all, is: [])
        errand.finish(.success(1))
        executor.run()
        await start.wait()
        expect(log.all, is: ["completed"])
    }

    @Test("passes the suspension of a consumer on")
    func suspension() async {
        let made = Counter()
        let numbers = SignalProducer<Int, Never>.unfold(
            1,
            async: { number in
                made.increment()
                return (number, number + 1)
            })
        var iterator = numbers.waitingForWork().values(buffering: .suspending(2)).makeAsyncIterator()
        for expected in 1...20 {
            expect(await iterator.next(), is: expected)
            #expect(made.value <= expected + 4)
        }
    }

    @Test("releases the observer when it has ended")
    func release() {
        let (observers, errand) = (Population(), Errand())
        let disposable = {
            let member = observers.member()
            return executor.within { work(errand).waitingForWork().start { _ in member.touch() } }
        }()
        executor.run()
        disposable.dispose()
        expect(observers.alive, is: 1)
        errand.finish(.success(1))
        executor.run()
        expect(observers.alive, is: 0)
    }

    @Test("ends exactly once, after the function, when disposal races with its return")
    func race() {
        for round in 0..<raceRounds {
            let (executor, record, errand) = (HandDrivenExecutor(), StrictLog<Int, TestError>(), Errand())
            let returns = Counter()
            let early = Counter()
            let disposable = executor.within {
                Numbers.async { () async throws(TestError) in
                    defer { returns.increment() }
                    return try await errand.run()
                }.waitingForWork().start { event in
                    if event.isTerminating, returns.value == 0 { early.increment() }
                    record.record(event)
                }
            }
            executor.run()
            errand.finish(round % 3 == 0 ? .failure(.first) : .success(5))
            onThreads(2, "a function and a disposal") { index in
                if index == 0 { executor.run() } else { disposable.dispose() }
            }
            executor.run()
            expect(record.mistakes, is: [])
            expect(early.value, is: 0)
            #expect(record.terminal != nil)
        }
    }
}

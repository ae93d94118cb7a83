import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private enum Sender {
    @TaskLocal static var number = 0
}

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

    @Test("does not wait for what a cache or a property keeps")
    func kept() {
        let (changes, change) = AsyncStream<Void>.makeStream()
        // Held: the trigger ends with the cache.
        let cached = Numbers([1]).cached(until: SignalProducer(changes))
        _ = start(cached.waitingForWork())
        executor.run()
        expect(log.all, is: ["1", "completed"])
        withExtendedLifetime(cached) {}
        change.finish()
        executor.run()
        log.removeAll()
        let (signal, input) = Signal<Int, Never>.pipe()
        let kept = Locked<Property<Int>?>(nil)
        _ = start(
            Numbers { observer, _ in
                let property = Property(initial: 0, then: SignalProducer(signal).merge(with: .never))
                kept.withLock { $0 = property }
                observer.sendCompleted()
            }.waitingForWork())
        expect(log.all, is: ["completed"])
        input.sendCompleted()
    }

    @Test("waits for work that begins in the start after the end")
    func lateWork() {
        let errand = Errand()
        _ = start(
            Numbers { observer, _ in
                observer.sendCompleted()
                work(errand).start()
            }.waitingForWork())
        executor.run()
        expect(log.all, is: [])
        errand.finish(.success(1))
        executor.run()
        expect(log.all, is: ["completed"])
    }

    @Test("sends the end under the task-locals of who has sent or caused it", arguments: [false, true])
    func taskLocals(disposes: Bool) {
        let seen = Log<Int>()
        let (slow, slowInput) = Signal<Int, TestError>.pipe()
        let (other, input) = Signal<Int, TestError>.pipe()
        let disposable = Numbers.merge([SignalProducer(slow).uninterruptible(), SignalProducer(other)])
            .waitingForWork()
            .start { event in if event.isTerminating { seen.append(Sender.number) } }
        Sender.$number.withValue(2) { if disposes { disposable.dispose() } else { input.sendError(.first) } }
        expect(seen.all, is: [])
        Sender.$number.withValue(3) { slowInput.sendCompleted() }
        expect(seen.all, is: [2])
    }

    @Test("sends the end at once in a task of the caller's that has been cancelled")
    func cancelledCaller() async {
        await Task { [log] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = Numbers([1]).waitingForWork().start { log.append($0.text) }
            expect(log.all, is: ["1", "completed"])
        }.value
    }

    @Test("does not send its end in the disposal of something else")
    func foreignDisposal() async {
        let (side, ended) = (SerialDisposable(), Latch("the start has not ended"))
        let isDisposing = Locked(false)
        _ = Numbers([1])
            .on(next: { _ in side.inner = Numbers.never.merge(with: .never).start() })
            .waitingForWork()
            .start { [log] event in
                guard event.isTerminating else { return }
                log.append("\(event.text) \(isDisposing.withLock { $0 })")
                ended.open()
            }
        // Would be locked twice by one thread.
        isDisposing.withLock { _ in side.dispose() }
        ended.wait()
        expect(log.all, is: ["completed false"])
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

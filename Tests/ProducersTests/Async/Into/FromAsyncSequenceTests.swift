import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducer(asyncSequence)", .watched)
struct FromAsyncSequenceTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()

    private func start(_ faucet: Faucet<TestError>) -> any Disposable {
        executor.within { SignalProducer(faucet).start { [log] in log.append($0.text) } }
    }

    @Test("sends the elements and completes, separately for each start")
    func elements() {
        let producer = SignalProducer(ReadyNumbers(3))
        for _ in 1...2 {
            log.removeAll()
            executor.within { producer.startWithNext { [log] in log.append("\($0)") } }
            expect(log.all, is: [], "nothing comes before the task has begun")
            executor.run()
            expect(log.all, is: ["1", "2", "3"])
        }
        log.removeAll()
        executor.within { _ = producer.start { [log] in log.append($0.text) } }
        executor.run()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("infers its value and error types")
    func inference() {
        let typed: SignalProducer<Int, TestError> = SignalProducer(Faucet<TestError>())
        let safe: SignalProducer<Int, Never> = SignalProducer(AsyncStream<Int> { $0.finish() })
        let untyped: SignalProducer<Int, any Error> = SignalProducer(
            AsyncThrowingStream<Int, any Error> { $0.finish() })
        // Without an explicit type.
        let inferred = (
            SignalProducer(Faucet<TestError>()), SignalProducer(AsyncStream<Int> { $0.finish() }),
            SignalProducer(AsyncThrowingStream<Int, any Error> { $0.finish() })
        )
        #expect(type(of: inferred) == type(of: (typed, safe, untyped)))
    }

    @Test("sends the error that the sequence throws")
    func failure() {
        let faucet = Faucet<TestError>()
        let disposable = start(faucet)
        faucet.send(1)
        faucet.fail(.second)
        executor.run()
        expect(log.all, is: ["1", "error second"])
        #expect(disposable.isDisposed)
    }

    @Test("sends any error, and treats a CancellationError as an interruption")
    func anyError() {
        let faucet = Faucet<any Error>()
        executor.within { _ = SignalProducer(faucet).start { [log] in log.append($0.text) } }
        faucet.fail(TestError.first)
        executor.run()
        let cancelled = Faucet<any Error>()
        executor.within { _ = SignalProducer(cancelled).start { [log] in log.append($0.text) } }
        cancelled.fail(CancellationError())
        executor.run()
        expect(log.all, is: ["error first", "interrupted"])
    }

    @Test("is interrupted when other code cancels the task and the sequence ends because of it")
    func cancelledTask() {
        executor.within { _ = SignalProducer(Quitter()).start { [log] in log.append($0.text) } }
        executor.run()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("starts nothing and holds nothing when it is disposed of before it starts")
    func disposedBefore() {
        let (numbers, population) = (ReadyNumbers(1), Population())
        let log = {
            let member = population.member()
            return SignalProducer(numbers).on(event: { _ in member.touch() }).startWithSignal { signal, interrupter in
                defer { interrupter.dispose() }
                return signal.logged()
            }
        }()
        expect(log.all, is: ["interrupted"])
        expect(numbers.asked.value, is: 0)
        expect(population.alive, is: 0)
    }

    @Test("requests the next element once the previous one has been delivered")
    func onDemand() {
        let numbers = ReadyNumbers(2)
        executor.within {
            _ = SignalProducer(numbers).start { [log] in log.append("\($0.text), asked \(numbers.asked.value)") }
        }
        executor.run()
        expect(log.all, is: ["1, asked 1", "2, asked 2", "completed, asked 3"])
    }

    @Test("is interrupted immediately on disposal, and cancels the task", arguments: [false, true])
    func disposal(isHeedless: Bool) {
        let faucet = Faucet<TestError>(isHeedless: isHeedless)
        let disposable = start(faucet)
        faucet.send(1)
        executor.run()
        disposable.dispose()
        expect(log.all, is: ["1", "interrupted"])
        expect(faucet.tap.cancellations.value, is: 1)
        faucet.send(2, 3)
        faucet.fail(.first)
        executor.run()
        expect(log.all, is: ["1", "interrupted"])
        // It requested the second element before it was disposed of, and nothing since.
        expect(faucet.tap.asked.value, is: 2)
        #expect(!faucet.tap.isWaitedFor)
    }

    @Test("is interrupted after the delivery in which it is disposed of, and requests no more elements")
    func disposalInside() {
        let numbers = ReadyNumbers(9)
        let own = SerialDisposable()
        own.inner = executor.within {
            SignalProducer(numbers).start { [log] event in
                if event.value == 2 { own.dispose() }
                log.append(event.text)
            }
        }
        executor.run()
        expect(log.all, is: ["1", "2", "interrupted"])
        expect(numbers.asked.value, is: 2)
    }

    @Test("does not iterate the sequence when it is disposed of before the task runs")
    func notBegun() {
        let faucet = Faucet<TestError>()
        start(faucet).dispose()
        executor.run()
        expect(log.all, is: ["interrupted"])
        expect(faucet.tap.iterations.value, is: 0)
    }

    @Test("starts no task when it is disposed of before it starts")
    func noTask() {
        executor.within {
            SignalProducer(ReadyNumbers(1)).startWithSignal { signal, interrupter in
                signal.observe { [log] in log.append($0.text) }
                interrupter.dispose()
            }
        }
        expect(executor.count, is: 0)
        expect(log.all, is: ["interrupted"])
    }

    @Test("requests no more elements once downstream has ended")
    func downstream() {
        let numbers = ReadyNumbers(9)
        executor.within {
            _ = SignalProducer(numbers).map { $0 * 10 }.take(first: 2).start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["10", "20", "completed"])
        expect(numbers.asked.value, is: 2)
    }

    @Test("is cancelled when the signal of the start loses its last observer")
    func unobserved() {
        let faucet = Faucet<TestError>()
        let observation = executor.within {
            SignalProducer(faucet).startWithSignal { signal, _ in signal.observe { [log] in log.append($0.text) } }
        }
        executor.run()
        observation?.dispose()
        expect(faucet.tap.cancellations.value, is: 1)
        executor.run()
        expect(log.all, is: [])
    }

    @Test("releases the observer on disposal even while a sequence ignores the cancellation")
    func heedlessRelease() {
        let observers = Population()
        let faucet = Faucet<TestError>(isHeedless: true)
        let disposable = {
            let member = observers.member()
            return executor.within { SignalProducer(faucet).start { _ in member.touch() } }
        }()
        executor.run()
        expect(observers.alive, is: 1)
        disposable.dispose()
        expect(observers.alive, is: 0)
        #expect(faucet.tap.isWaitedFor)
        faucet.end()
        executor.run()
    }

    @Test("holds nothing once it has ended", arguments: [Faucet<TestError>.Tap.Drop.end, .failure(.first)])
    func release(drop: Faucet<TestError>.Tap.Drop) {
        let observers = Population()
        let faucet = Faucet<TestError>()
        let disposable = {
            let member = observers.member()
            return executor.within { SignalProducer(faucet).start { _ in member.touch() } }
        }()
        faucet.send(1)
        executor.run()
        faucet.tap.send(drop)
        executor.run()
        expect(observers.alive, is: 0)
        withExtendedLifetime(disposable) {}
    }

    @Test("sends very many elements that are ready immediately, on a small stack")
    func many() {
        onSmallStack("many elements") { [executor] in
            let sum = Counter()
            executor.within { SignalProducer(ReadyNumbers(manyLevels)).startWithNext { _ in sum.increment() } }
            executor.run()
            expect(sum.value, is: manyLevels)
        }
    }

    @Test("ends exactly once when disposal races with elements and the end")
    func race() {
        for round in 0..<raceRounds {
            let executor = HandDrivenExecutor()
            let record = StrictLog<Int, TestError>()
            let faucet = Faucet<TestError>(isHeedless: round % 2 == 0)
            let observers = Population()
            let disposable = {
                let member = observers.member()
                return executor.within {
                    SignalProducer(faucet).start { event in
                        member.touch()
                        record.record(event)
                    }
                }
            }()
            faucet.send(1, 2, 3)
            if round % 3 == 0 { faucet.end() } else if round % 3 == 1 { faucet.fail(.first) }
            onThreads(2, "a sequence and a disposal") { index in
                if index == 0 { executor.run() } else { disposable.dispose() }
            }
            executor.run()
            expect(record.mistakes, is: [])
            expect(record.values, is: Array([1, 2, 3].prefix(record.values.count)))
            let ends = ["interrupted"] + (round % 3 == 0 ? ["completed"] : round % 3 == 1 ? ["error first"] : [])
            #expect(ends.contains(record.terminal ?? "none"))
            if record.terminal != "interrupted" { expect(record.values, is: [1, 2, 3]) }
            expect(observers.alive, is: 0)
            faucet.end()
            executor.run()
        }
    }

    @Test("a producer chained after the end starts in a task that is not cancelled")
    func followers() async {
        for _ in 0..<200 {
            let elements = AsyncStream<Int> { $0.finish() }
            let follower = SignalProducer<Bool, Never>.deferred { SignalProducer(value: Task.isCancelled) }
            let isCancelled = await SignalProducer(elements).then(follower).last()
            expect(isCancelled, is: false)
        }
    }

    @Test("matches the model over random interleavings", arguments: 0..<thorough(500))
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let faucet = Faucet<TestError>(isHeedless: random.once(in: 2))
        let disposable = start(faucet)
        var sent: [String] = []
        var hasEnded = false
        var atDisposal: [String]?
        for _ in 0..<random.number(in: 1...40) {
            switch random.number(in: 0...9) {
            case 0...3:
                faucet.send(sent.count)
                if !hasEnded { sent.append("\(sent.count)") }
            case 4...7: executor.runOne { random.number(in: 0...$0 - 1) }
            case 8 where random.once(in: 3):
                if !hasEnded { sent.append(random.once(in: 2) ? "completed" : "error first") }
                if !hasEnded { if sent.last == "completed" { faucet.end() } else { faucet.fail(.first) } }
                hasEnded = true
            case 9 where random.once(in: 3) && atDisposal == nil:
                let before = log.all
                let isOver = disposable.isDisposed
                disposable.dispose()
                atDisposal = isOver ? before : before + ["interrupted"]
            default: break
            }
            #expect(log.all.starts(with: atDisposal ?? []))
        }
        executor.run()
        if let atDisposal {
            expect(log.all, is: atDisposal)
            #expect(atDisposal.last == "interrupted" || atDisposal == sent)
            #expect(sent.starts(with: atDisposal.filter { $0 != "interrupted" }))
        } else {
            expect(log.all, is: sent)
        }
        faucet.end()
        executor.run()
    }
}

import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("SignalProducer.uninterruptible()", .watched)
struct UninterruptibleTests {
    private let scheduler = TestScheduler()
    private let log = Log<String>()

    /// Work that an input ends, and that says whether it has been interrupted.
    private func work() -> (producer: Numbers, input: Signal<Int, TestError>.Observer) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = Numbers { [log] observer, lifetime in
            log.append("begun")
            signal.observe(observer)
            lifetime.observeEnded { log.append("work ended") }
        }
        return (producer, input)
    }

    private func start(_ producer: Numbers) -> any Disposable { producer.start { [log] in log.append($0.text) } }

    @Test("passes on all events")
    func events() {
        let (producer, input) = work()
        let disposable = start(producer.uninterruptible())
        input.sendNext(1)
        expect(log.all, is: ["begun", "1"])
        input.sendCompleted()
        expect(log.all, is: ["begun", "1", "work ended", "completed"])
        #expect(disposable.isDisposed)
        log.removeAll()
        _ = start(Numbers([1, 2]).uninterruptible())
        _ = start(Numbers(error: .second).uninterruptible())
        _ = start(Numbers { _, _ in }.uninterruptible())
        expect(log.all, is: ["1", "2", "completed", "error second", "interrupted"])
    }

    @Test("lets the work go on after a disposal, drops its values, and is interrupted when it ends")
    func disposal() {
        for end in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            log.removeAll()
            let (producer, input) = work()
            let disposable = start(producer.uninterruptible())
            disposable.dispose()
            #expect(disposable.isDisposed)
            input.sendNext(1)
            expect(log.all, is: ["begun"])
            input.send(end)
            expect(log.all, is: ["begun", "work ended", "interrupted"])
        }
    }

    @Test("begins no work if it is disposed of before")
    func disposalBefore() {
        let disposable = start(work().producer.uninterruptible().start(on: scheduler))
        disposable.dispose()
        scheduler.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("waits for work that its own beginning disposes of")
    func disposalInside() {
        let disposable = SerialDisposable()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = Numbers { observer, _ in
            disposable.dispose()
            observer.sendNext(1)
            signal.observe(observer)
        }
        producer.uninterruptible().startWithSignal { [log] signal, start in
            disposable.inner = start
            signal.observe { log.append($0.text) }
        }
        expect(log.all, is: [])
        input.sendCompleted()
        expect(log.all, is: ["interrupted"])
    }

    @Test("runs a function to its end without cancelling it")
    func function() {
        let (executor, errand) = (HandDrivenExecutor(), Errand())
        let disposable = executor.within {
            start(Numbers.async { () async throws(TestError) in try await errand.run() }.uninterruptible())
        }
        disposable.dispose()
        executor.run()
        expect(errand.calls.value, is: 1)
        errand.finish(.success(1))
        executor.run()
        expect(log.all, is: ["interrupted"])
        expect(errand.cancellations.value, is: 0)
    }

    @Test("ends early with an operator downstream, which waits only if it is told to", arguments: [false, true])
    func endedEarly(waits: Bool) {
        let (producer, input) = work()
        let limited = producer.uninterruptible().timeout(after: .seconds(1), raising: .second, on: scheduler)
        _ = start(waits ? limited.waitingForWork() : limited)
        input.sendNext(1)
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: waits ? ["begun", "1"] : ["begun", "1", "error second"])
        input.sendNext(2)
        input.sendCompleted()
        expect(
            log.all,
            is: waits
                ? ["begun", "1", "work ended", "error second"] : ["begun", "1", "error second", "work ended"])
    }

    @Test("covers a closure that runs on a scheduler")
    func closure() {
        let (hasBegun, mayReturn, hasEnded) = (Latch("no closure"), Latch("no return"), Latch("no end"))
        let producer = Numbers.attempt { () throws(TestError) in
            hasBegun.open()
            mayReturn.wait()
            return 1
        }.start(on: QueueScheduler()).uninterruptible()
        let disposable = producer.start { [log] event in
            log.append(event.text)
            hasEnded.open()
        }
        hasBegun.wait()
        disposable.dispose()
        expect(log.all, is: [])
        mayReturn.open()
        hasEnded.wait()
        expect(log.all, is: ["interrupted"])
    }

    @Test("keeps the place of `flatMap` for work that is disposed of by a timeout inside")
    func limit() {
        let works = (0..<3).map { _ in work() }
        _ = start(
            Numbers([0, 1, 2]).flatMap(.concurrent(limit: 2)) { number in
                works[number].producer.uninterruptible()
                    .timeout(after: .seconds(1), switchingTo: .init(value: -1), on: scheduler)
                    .waitingForWork()
            })
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: ["begun", "begun", "-1", "-1"])
        works[1].input.sendCompleted()
        expect(log.all, is: ["begun", "begun", "-1", "-1", "work ended", "begun"])
        for index in [0, 2] { works[index].input.sendCompleted() }
        expect(log.all.suffix(3), is: ["work ended", "work ended", "completed"])
    }

    @Test("ends exactly once, after the work, when a disposal races with its beginning and its end")
    func race() {
        for round in 0..<raceRounds {
            let record = StrictLog<Int, TestError>()
            let (signal, input) = Signal<Int, TestError>.pipe()
            let (begun, ended) = (Counter(), Counter())
            let early = Counter()
            let disposable = SerialDisposable()
            let producer = Numbers { observer, lifetime in
                begun.increment()
                signal.observe(observer)
                lifetime.observeEnded { ended.increment() }
            }.uninterruptible()
            onThreads(2, "a start and a disposal") { index in
                if index == 1 { return disposable.dispose() }
                producer.startWithSignal { signal, start in
                    signal.observe { event in
                        if event.isTerminating, begun.value != ended.value { early.increment() }
                        record.record(event)
                    }
                    disposable.inner = start
                }
                input.send(round % 2 == 0 ? .completed : .error(.first))
            }
            expect(record.mistakes, is: [])
            expect(early.value, is: 0)
            #expect(record.terminal != nil)
        }
    }
}

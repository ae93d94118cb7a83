import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("retry(when:)")
struct RetryWhenTests {
    /// Sends the number of the attempt and fails.
    private func failing(_ attempts: Counter) -> Numbers {
        Numbers { observer, _ in
            observer.sendNext(attempts.increment())
            observer.sendError(.first)
        }
    }

    @Test("starts again with each value of the trigger, to which it sends the errors")
    func values() {
        let (manual, trigger, errors) = (Manual(), Trigger(), Log<String>())
        let log = manual.producer.retry { signal in
            signal.observe { errors.append($0.text) }
            return trigger.producer
        }.logged()
        for error in [TestError.first, .second] {
            manual.input?.sendNext(1)
            manual.input?.sendError(error)
            expect(manual.starts.value, is: manual.disposals.value)
            trigger.input?.sendNext(9)
        }
        expect(manual.starts.value, is: 3)
        manual.input?.sendNext(1)
        manual.input?.sendCompleted()
        expect(log.all, is: ["1", "1", "1", "completed"])
        expect(errors.all, is: ["first", "second", "interrupted"])
        expect(trigger.disposals.value, is: 1)
    }

    @Test("ends with the trigger, both while it waits and during an attempt", arguments: terminals, [true, false])
    func ends(terminal: Event<Int, TestError>, waits: Bool) {
        let (manual, trigger) = (Manual(), Manual())
        let log = manual.producer.retry { _ in trigger.producer }.logged()
        manual.input?.sendNext(1)
        if waits { manual.input?.sendError(.second) }
        trigger.input?.send(terminal)
        expect(log.all, is: ["1", terminal.text])
        #expect((manual.disposals.value, trigger.disposals.value) == (1, 1))
        trigger.input?.sendNext(1)
        expect(manual.starts.value, is: 1)
    }

    @Test("takes a trigger with a leading dot")
    func leadingDot() {
        let (clock, manual) = (TestScheduler(), Manual())
        let log = manual.producer.retry { _ in .timer(after: .seconds(3), on: clock) }.logged()
        manual.input?.sendError(.first)
        clock.advance(by: .seconds(3))
        expect(manual.starts.value, is: 2)
        expect(log.all, is: ["completed"])
    }

    @Test("makes no attempt if the trigger ends immediately", arguments: terminals)
    func endsImmediately(terminal: Event<Int, TestError>) {
        let manual = Manual()
        expect(manual.producer.retry { _ in ending(with: terminal) }.logged().all, is: [terminal.text])
        expect(manual.starts.value, is: 0)
    }

    @Test("ignores a value of the trigger during an attempt")
    func during() {
        let (manual, trigger) = (Manual(), Trigger())
        let log = manual.producer.retry { _ in trigger.producer }.logged()
        trigger.input?.sendNext(1)
        expect(manual.starts.value, is: 1)
        manual.input?.sendError(.first)
        expect(manual.starts.value, is: 1)
        for _ in 0..<2 { trigger.input?.sendNext(1) }
        expect(manual.starts.value, is: 2)
        manual.input?.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("forwards completion and interruption, and disposes of the trigger")
    func others() {
        for terminal in [Event<Int, TestError>.completed, .interrupted] {
            let trigger = Trigger()
            expect(ending(with: terminal).retry { _ in trigger.producer }.logged().all, is: [terminal.text])
            expect(trigger.disposals.value, is: 1)
        }
    }

    @Test("retries or fails as a trigger derived from the errors decides")
    func decides() {
        let attempts = Counter()
        let log = failing(attempts).retry { errors in
            errors.scan(0) { count, _ in count + 1 }.flatMap(.concat) { count in
                count < 3 ? SignalProducer<Int, TestError>(value: count) : SignalProducer(error: .second)
            }
        }.logged()
        expect(log.all, is: ["1", "2", "3", "error second"])
        let few = Counter()
        expect(failing(few).retry { $0.take(first: 2) }.logged().all, is: ["1", "2", "completed"])
        expect(few.value, is: 2)
    }

    @Test("starts attempts when the trigger fires, in virtual time")
    func timed() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let disposable = failing(Counter()).retry { $0.delay(.seconds(2), on: scheduler) }
            .start { log.append(when($0, scheduler)) }
        scheduler.advance(by: .seconds(5))
        disposable.dispose()
        scheduler.run()
        expect(
            log.all,
            is: ["1 at 0, on its sender's thread", "2 at 2", "3 at 4", "interrupted at 5, on its sender's thread"])
    }

    @Test("creates one trigger per start")
    func perStart() {
        let (manual, trigger, calls) = (Manual(), Trigger(), Counter())
        let producer = manual.producer.retry { _ in
            calls.increment()
            return trigger.producer
        }
        expect(calls.value, is: 0)
        let first = producer.logged()
        let (firstInput, firstTrigger) = (manual.input, trigger.input)
        let second = producer.logged()
        let secondInput = manual.input
        expect(calls.value, is: 2)
        firstInput?.sendError(.first)
        trigger.input?.sendNext(1)
        expect(manual.starts.value, is: 2)
        firstTrigger?.sendNext(1)
        expect(manual.starts.value, is: 3)
        firstTrigger?.sendCompleted()
        expect(first.all, is: ["completed"])
        expect(second.all, is: [])
        secondInput?.sendNext(2)
        trigger.input?.sendCompleted()
        expect(second.all, is: ["2", "completed"])
        manual.release()
    }

    @Test("runs any number of synchronous attempts in constant stack and memory", .notUnderSanitizers)
    func iterative() {
        onSmallStack("retry(when:)") {
            let population = Population()
            let attempts = Counter()
            let most = Locked(0)
            let log = Log<String>()
            SignalProducer<Population.Member, TestError> { observer, lifetime in
                let member = population.member()
                lifetime.observeEnded { member.touch() }
                most.withLock { $0 = max($0, population.alive) }
                if attempts.increment() > manyLevels { observer.sendCompleted() } else { observer.sendError(.first) }
            }.retry { $0 }.start { log.append($0.text) }
            expect(log.all, is: ["completed"])
            expect(attempts.value, is: manyLevels + 1)
            #expect(most.withLock { $0 } <= 3)
            expect(population.alive, is: 0)
        }
    }

    @Test("sends the values of an endless attempt that started in the trigger's delivery")
    func endlessAttempt() {
        let (trigger, asked) = (Trigger(), Counter())
        let isFirst = OnceFlag()
        let log = Numbers.deferred { isFirst.raise() ? Numbers(error: .first) : Numbers(CountedNumbers(asked)) }
            .retry { _ in trigger.producer }.take(first: 2).logged()
        trigger.input?.sendNext(1)
        expect(log.all, is: ["0", "1", "completed"])
        expect(asked.value, is: 2)
        expect(trigger.disposals.value, is: 1)
    }

    @Test("interrupts on disposal, then ends the lifetime, and between two attempts as well")
    func disposal() {
        expectInterrupts { $0.retry { _ in SignalProducer<Int, Never>.never } }
        let (manual, trigger) = (Manual(), Trigger())
        let start = manual.producer.retry { _ in trigger.producer }.startLogged()
        manual.input?.sendError(.first)
        start.disposable.dispose()
        trigger.input?.sendNext(1)
        expect(start.log.all, is: ["interrupted"])
        #expect((manual.starts.value, trigger.disposals.value) == (1, 1))
        trigger.release()
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        let calls = Counter()
        expectDoesNotBegin { source in
            source.retry { _ in
                calls.increment()
                return SignalProducer<Int, Never>.never
            }
        }
        expect(calls.value, is: 0)
    }

    @Test("stops an endless synchronous source")
    func stops() { expectStops { $0.retry { _ in SignalProducer<Int, Never>.never } } }

    @Test("interrupts once and stops when disposal races with a value of the trigger")
    func race() {
        for _ in 0..<200 {
            let (manual, trigger) = (Manual(), Trigger())
            let start = manual.producer.retry { _ in trigger.producer }.startLogged()
            manual.input?.sendError(.first)
            onThreads(2, "retrying") { index in
                if index == 0 { start.disposable.dispose() } else { trigger.input?.sendNext(1) }
            }
            expect(start.log.all, is: ["interrupted"])
            expect(manual.starts.value, is: manual.disposals.value)
            manual.release()
            trigger.release()
        }
    }

    @Test("ends once when the end of the trigger races with an attempt that sends and fails")
    func raceOfEnds() {
        for _ in 0..<200 {
            let (manual, trigger) = (Manual(), Trigger())
            let log = manual.producer.retry { _ in trigger.producer }.logged()
            onThreads(2, "ending") { index in
                if index == 0 {
                    manual.input?.sendNext(1)
                    manual.input?.sendError(.first)
                } else {
                    trigger.input?.sendCompleted()
                }
            }
            #expect([["completed"], ["1", "completed"]].contains(log.all))
            #expect((manual.starts.value, manual.disposals.value, trigger.disposals.value) == (1, 1, 1))
        }
    }

    @Test("holds nothing once it has ended, or between two attempts once it has been disposed of")
    func releases() {
        expectReleases { source, member in
            source.on(error: { _ in member.touch() }).retry { $0.take(first: 2).map { member.through($0) } }
        }
        let population = Population()
        let disposable = {
            let member = population.member()
            return Numbers(error: .first).retry { $0.filter { _ in member.through(false) } }
                .start { _ in member.touch() }
        }()
        expect(population.alive, is: 1)
        disposable.dispose()
        expect(population.alive, is: 0)
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.retry { $0 }.name, is: "[never] -retry(when:)") }
}

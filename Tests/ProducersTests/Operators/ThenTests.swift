import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("then(_:)")
struct ThenTests {
    private let other = SignalProducer<String, TestError>(["a", "b"])

    @Test("ignores the values, and starts the other producer on completion")
    func events() {
        let manual = Manual()
        let second = Manual()
        let log = manual.producer.then(second.producer).logged()
        manual.input?.sendNext(1)
        #expect(log.all.isEmpty)
        expect(second.starts.value, is: 0)
        manual.input?.sendCompleted()
        #expect((manual.disposals.value, second.starts.value) == (1, 1))
        second.input?.sendNext(2)
        second.input?.sendCompleted()
        expect(log.all, is: ["2", "completed"])
        expect(Numbers([1, 2]).then(other).logged().all, is: ["a", "b", "completed"])
    }

    @Test("forwards an error or an interruption, and does not start the other producer")
    func terminals() {
        let second = Manual()
        expect(Numbers(error: .first).then(second.producer).logged().all, is: ["error first"])
        expect(Numbers.interrupted.then(second.producer).logged().all, is: ["interrupted"])
        expect(ending(with: .interrupted).then { second.producer }.logged().all, is: ["interrupted"])
        expect(second.starts.value, is: 0)
        for terminal in ProducerTestSupport.terminals {
            expect(Numbers.empty.then(ending(with: terminal)).logged().all, is: [terminal.text])
        }
    }

    @Test("accepts a signal, which it observes from then on")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let manual = Manual()
        let log = manual.producer.then(signal).logged()
        input.sendNext(1)
        manual.input?.sendCompleted()
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
    }

    @Test("accepts leading dots")
    func leadingDots() {
        let result: Result<String, TestError> = .failure(.first)
        expect(SignalProducer<Int, Never>.empty.then(.init(result: result)).logged().all, is: ["error first"])
        expect(SignalProducer<Int, Never>.empty.then(.init(value: "a")).logged().all, is: ["a", "completed"])
        expect(Numbers.empty.then { .init(value: "a") }.logged().all, is: ["a", "completed"])
        // Of the same type.
        let same = Numbers([1]).then(.empty)
        expect(same.concat(Numbers([2])).logged().all, is: ["2", "completed"])
    }

    @Test("promotes errors on either side")
    func promotes() {
        let safe = SignalProducer<String, Never>(["a"])
        let unsafe: SignalProducer<String, TestError> = Numbers(value: 1).then(safe)
        expect(unsafe.logged().all, is: ["a", "completed"])
        let second: SignalProducer<String, TestError> = SignalProducer(value: 1).then(other)
        expect(second.logged().all, is: ["a", "b", "completed"])
        let neither: SignalProducer<String, Never> = SignalProducer(value: 1).then(safe)
        expect(neither.logged().all, is: ["a", "completed"])
        let failing: SignalProducer<String, TestError> = SignalProducer(value: 1).then(SignalProducer(error: .second))
        expect(failing.logged().all, is: ["error second"])
        let first: SignalProducer<String, TestError> = Numbers(error: .first).then(safe)
        expect(first.logged().all, is: ["error first"])
        let interrupted: SignalProducer<String, TestError> = SignalProducer<Int, Never>.interrupted.then(other)
        expect(interrupted.logged().all, is: ["interrupted"])
        let inner: SignalProducer<String, TestError> = Numbers.empty.then(SignalProducer<String, Never>.interrupted)
        expect(inner.logged().all, is: ["interrupted"])
    }

    @Test("calls its closure once per start, and only after completion")
    func closure() {
        let calls = Counter()
        let manual = Manual()
        let producer = manual.producer.then {
            SignalProducer<Int, TestError>(value: calls.increment())
        }
        let first = producer.logged()
        expect(calls.value, is: 0)
        manual.input?.sendCompleted()
        expect(first.all, is: ["1", "completed"])
        let second = producer.logged()
        manual.input?.sendError(.first)
        let third = producer.startLogged()
        third.disposable.dispose()
        expect(second.all, is: ["error first"])
        expect(third.log.all, is: ["interrupted"])
        expect(calls.value, is: 1)
        manual.release()
    }

    @Test("interrupts on disposal, then ends the lifetime, whichever producer is running")
    func disposal() {
        expectInterrupts(values: []) { $0.then(other) }
        expectInterrupts { Numbers.empty.then($0) }
        expectInterrupts { source in Numbers.empty.then { source } }
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        expectDoesNotBegin { $0.then(other) }
        expectDoesNotBegin { Numbers.empty.then($0) }
    }

    @Test("stops an endless synchronous source") func stops() { expectStops { Numbers.empty.then($0) } }

    @Test("stops an endless first producer when it is disposed of from another thread")
    func endlessFirst() {
        let begun = Latch("not begun")
        let disposables = Log<any Disposable>()
        let log = Log<String>()
        let isFirst = OnceFlag()
        let producer = Numbers(Busy()).on(next: { _ in if isFirst.raise() { begun.open() } }).then(other)
        let thread = TestThread("endless") {
            producer.startWithSignal { signal, disposable in
                disposables.append(disposable)
                signal.observe { log.append($0.text) }
                return
            }
        }
        begun.wait()
        disposables.all[0].dispose()
        thread.join()
        expect(log.all, is: ["interrupted"])
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.then(Numbers.empty.on(completed: { member.touch() })) }
        expectReleases { source, member in
            source.then {
                member.touch()
                return Numbers.empty
            }
        }
    }
}

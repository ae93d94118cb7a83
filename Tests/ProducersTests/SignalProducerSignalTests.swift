import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("startWithSignal")
struct SignalProducerSignalTests {
    @Test("provides the signal before the work begins, for several observers")
    func several() {
        let log = Log<String>()
        let producer = Numbers { observer, _ in
            log.append("work")
            observer.sendNext(1)
            observer.sendCompleted()
        }
        producer.startWithSignal { signal, _ in
            log.append("set up")
            signal.observe { log.append("first \($0.text)") }
            signal.observe { log.append("second \($0.text)") }
        }
        expect(
            log.all,
            is: [
                "set up", "work", "first 1", "second 1", "first completed", "second completed",
            ])
    }

    @Test("returns the closure's result after the work has begun")
    func returns() {
        let manual = Manual()
        let number = manual.producer.startWithSignal { signal, _ in
            signal.observe { _ in }
            return manual.starts.value + 7
        }
        expect(number, is: 7)
        expect(manual.starts.value, is: 1)
        manual.input?.sendCompleted()
    }

    @Test("interrupts the observers and does not begin the work when the set-up disposes of the start")
    func setUpDisposes() {
        for transform: @Sendable (Numbers) -> Numbers in [
            { $0 }, { $0.map { $0 } }, { $0.concat($0) }, { $0.lift { $0 } },
        ] {
            expectDoesNotBegin(transform)
        }
        let log = Numbers([1, 2]).startWithSignal { signal, disposable in
            let log = signal.logged()
            disposable.dispose()
            #expect(disposable.isDisposed)
            return log
        }
        expect(log.all, is: ["interrupted"])
        for producer in [Numbers(value: 1), .empty, .never, Numbers(error: .first)] {
            let log = producer.startWithSignal { signal, disposable in
                disposable.dispose()
                return signal.logged()
            }
            expect(log.all, is: ["interrupted"])
        }
    }

    @Test("on a later disposal interrupts the observers, then cancels the work")
    func disposal() {
        let log = Log<String>()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let disposable = Numbers { observer, lifetime in
            inputs.append(observer)
            lifetime.observeEnded { log.append("attached") }
        }.startWithSignal { signal, disposable in
            signal.observe { log.append("first \($0.text)") }
            signal.observe { log.append("second \($0.text)") }
            return disposable
        }
        inputs.all[0].sendNext(1)
        disposable.dispose()
        inputs.all[0].sendNext(2)
        expect(
            log.all, is: ["first 1", "second 1", "first interrupted", "second interrupted", "attached"])
        #expect(disposable.isDisposed)
    }

    @Test("reports that it is disposed of after the end", arguments: terminals)
    func ended(terminal: Event<Int, TestError>) {
        let (log, disposable) = ending(with: terminal).startWithSignal { ($0.logged(), $1) }
        expect(log.all, is: [terminal.text])
        #expect(disposable.isDisposed)
    }

    @Test("cancels the work without an event when the signal is neither observed nor held")
    func forgotten() {
        let manual = Manual()
        manual.producer.startWithSignal { _, _ in }
        expect(manual.starts.value, is: 1)
        expect(manual.disposals.value, is: 1)

        let observation = manual.producer.startWithSignal { signal, _ in signal.observe { _ in } }
        expect(manual.disposals.value, is: 1)
        observation?.dispose()
        expect(manual.disposals.value, is: 2)

        var held: Signal<Int, TestError>? = manual.producer.startWithSignal { signal, _ in signal }
        expect(manual.disposals.value, is: 2)
        let log = held?.logged()
        manual.input?.sendNext(1)
        held = nil
        expect(manual.disposals.value, is: 2)
        manual.input?.sendCompleted()
        expect(log?.all, is: ["1", "completed"])
        expect(manual.disposals.value, is: 3)
    }

    @Test("stops an endless synchronous source when the last observer is removed")
    func endless() {
        let numbers = Endless()
        let log = Numbers(numbers).startWithSignal { signal, _ in signal.take(first: 3).logged() }
        expect(log.all, is: ["1", "2", "3", "completed"])
        expect(numbers.computed.value, is: 3)
    }

    @Test("stops an endless synchronous source when an observer disposes of the start")
    func disposedInside() {
        let numbers = Endless()
        let log = Log<String>()
        Numbers(numbers).startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 2 { disposable.dispose() }
        }
        expect(log.all, is: ["1", "2", "interrupted"])
        expect(numbers.computed.value, is: 2)
    }

    @Test("releases everything after the end and after disposal")
    func releases() {
        for disposes in [false, true] {
            let population = Population()
            let manual = Manual()
            var disposable: (any Disposable)?
            do {
                let member = population.member()
                disposable = manual.producer.startWithSignal { signal, disposable in
                    signal.observe { _ in member.touch() }
                    return disposable
                }
            }
            expect(population.alive, is: 1)
            if disposes { disposable?.dispose() } else { manual.input?.sendCompleted() }
            expect(population.alive, is: 0)
            disposable = nil
            manual.release()
        }
    }

    @Test("the producer has its contention policy, and the signal has the producer's name")
    func keeps() {
        #expect(SignalProducer<Int, Never>(contention: .enqueue) { _, _ in }.contention == .enqueue)
        expect(Numbers { _, _ in }.contention, is: .wait)
        expect(Numbers(value: 1).contention, is: .wait)
        Numbers.empty.named("x").startWithSignal { signal, _ in expect(signal.name, is: "x") }
    }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("materialize() of producers")
struct MaterializeTests {
    @Test("sends the terminal event as a value, then completes, or is interrupted after an interruption")
    func events() {
        for (terminal, texts) in [
            (Event<Int, TestError>.completed, ["COMPLETED", "completed"]),
            (.error(.first), ["ERROR first", "completed"]), (.interrupted, ["INTERRUPTED", "interrupted"]),
        ] {
            let synchronous = Numbers { observer, _ in
                observer.sendNext(1)
                observer.send(terminal)
            }
            expect(synchronous.materialize().logged().all, is: ["NEXT 1"] + texts)
            let manual = Manual()
            let producer = manual.producer.materialize()
            #expect(type(of: producer) == SignalProducer<Event<Int, TestError>, Never>.self)
            let log = producer.logged()
            manual.input?.sendNext(1)
            expect(log.all, is: ["NEXT 1"])
            manual.input?.send(terminal)
            expect(log.all, is: ["NEXT 1"] + texts)
            expect(manual.disposals.value, is: 1)
        }
    }

    @Test("sends no value on disposal, only an interruption, to the observer and the operators before it")
    func disposal() {
        let manual = Manual()
        let between = Log<String>()
        let (log, disposable) = manual.producer.materialize().on(event: { between.append($0.text) }).startLogged()
        disposable.dispose()
        expect(manual.disposals.value, is: 1)
        expect(between.all, is: ["interrupted"])
        expect(log.all, is: ["interrupted"])
    }

    @Test("sends the release of an input as a value and an interruption, to the start it belongs to")
    func release() {
        let manual = Manual()
        let producer = manual.producer.materialize()
        // The second start replaces the input of the first.
        let (first, second) = (producer.startLogged(), producer.startLogged())
        expect(manual.disposals.value, is: 1)
        manual.input?.sendNext(1)
        manual.input?.sendCompleted()
        expect(first.log.all, is: ["INTERRUPTED", "interrupted"])
        expect(second.log.all, is: ["NEXT 1", "COMPLETED", "completed"])
    }

    @Test("does not complete again when downstream ends with the materialized completion")
    func enough() {
        let asked = Counter()
        expect(Numbers.empty.materialize().take(first: 1).logged().all, is: ["COMPLETED", "completed"])
        let first = Numbers(CountedNumbers(asked)).materialize().take(first: 2)
        expect(first.logged().all, is: ["NEXT 0", "NEXT 1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.on(terminated: { member.touch() }).materialize() } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.materialize().name, is: "[never] -materialize") }
}

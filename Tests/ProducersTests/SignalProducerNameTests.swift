import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Names of producers")
struct SignalProducerNameTests {
    private let scheduler = TestScheduler()

    @Test("a source is named after the function that creates it")
    func sources() {
        let names: [(String, String)] = [
            (Numbers { _, _ in }.name, "producer"), (Numbers(value: 1).name, "value"), (Numbers([1]).name, "values"),
            (SignalProducer(value: 1).name, "value"), (SignalProducer([1]).name, "values"),
            (SignalProducer(values: 1, 2).name, "values"), (Numbers(values: 1, 2, 3).name, "values"),
            (Numbers(error: .first).name, "error"), (Numbers(result: .success(1)).name, "value"),
            (Numbers(result: .failure(.first)).name, "error"), (Numbers.empty.name, "empty"),
            (Numbers.never.name, "never"), (Numbers.deferred { Numbers.never }.name, "deferred"),
            (Numbers.using(resource: { SimpleDisposable() }, producer: { _ in Numbers.never }).name, "using"),
            (Numbers.attempt { () throws(TestError) in 1 }.name, "attempt"),
            (Numbers.attempt { .success(1) }.name, "attempt"),
            (Numbers(Signal.never.named("s")).name, "[s] -producer"),
            (SignalProducer.timer(interval: .seconds(2), on: scheduler).name, "timer(interval: 2.0 seconds)"),
            (SignalProducer.timer(after: .milliseconds(1500), on: scheduler).name, "timer(after: 1.5 seconds)"),
            (SignalProducer.interval([1], .seconds(3), on: scheduler).name, "interval: 3.0 seconds"),
            (SignalProducer.interval(.seconds(3), on: scheduler).name, "interval: 3.0 seconds"),
            (Numbers.concat(.never.named("x"), .never).name, "+concat: (x, never)"),
        ]
        for (name, expected) in names { expect(name, is: expected) }
    }

    @Test("every operator adds its name")
    func operators() {
        let x = Numbers.never.named("x")
        let names: [(String, String)] = [
            (x.concat(x).name, "[x] -concat:"), (x.prefix(value: 1).name, "[x] -prefix(value:)"),
            (x.prefix(x).name, "[x] -prefix:"), (x.then(x).name, "[x] -then:"),
            (x.then { Numbers.never }.name, "[x] -then:"),
            (x.flatMapError { _ in Numbers.never }.name, "[x] -flatMapError:"), (x.repeat(3).name, "[x] -repeat: 3"),
            (x.repeat(0).name, "[x] -repeat: 0"), (x.repeatForever().name, "[x] -repeatForever"),
            (x.repeat(while: { true }).name, "[x] -repeat(while:)"), (x.retry(upTo: 2).name, "[x] -retry(upTo: 2)"),
            (x.retry(upTo: 2, interval: .seconds(1), on: scheduler).name, "[x] -retry(upTo: 2)"),
            (x.start(on: scheduler).name, "[x] -start(on:)"), (x.on().name, "[x] -on"),
            (x.logEvents().name, "[x] -logEvents"), (x.lift { $0 }.name, "[x] -lift:"),
            (x.map { $0 }.take(first: 2).name, "[[x] -map:] -take: 2"),
        ]
        for (name, expected) in names { expect(name, is: expected) }
    }

    @Test("`named` returns a new producer with the given name, which is also its description")
    func given() {
        let producer = Numbers([1, 2]).map { $0 }
        let named = producer.named("numbers")
        expect(producer.name, is: "[values] -map:")
        expect(named.name, is: "numbers")
        expect("\(named)", is: "numbers")
        expect(named.filter { _ in true }.description, is: "[numbers] -filter:")
        expect(named.named("again").name, is: "again")
        expect(named.logged().all, is: ["1", "2", "completed"])
    }

    @Test("the signal of a start has the producer's name")
    func signal() {
        let name = Numbers.never.named("x").retry(upTo: 1).startWithSignal { signal, disposable in
            defer { disposable.dispose() }
            return signal.name
        }
        expect(name, is: "[x] -retry(upTo: 1)")
    }
}

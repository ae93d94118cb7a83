import ReactiveSignals
import TestSupport
import Testing

@Suite("dematerialize")
struct DematerializeTests {
    private typealias Materialized = Signal<Event<Int, TestError>, Never>

    @Test("sends the values of the next events")
    func values() {
        let (source, input) = Materialized.pipe()
        let result = source.dematerialize()
        #expect(type(of: result) == Source.self)
        let log = result.logged()
        for value in 1...2 { input.sendNext(.next(value)) }
        input.sendNext(.completed)
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("reverses materialize")
    func inverse() {
        expectModel {
            $0.materialize().dematerialize()
        } does: { values, ending in
            values.map(String.init) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("ends at the first terminal event among the values, and releases the source in the same call")
    func ends() {
        for ending in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Materialized.pipe()
            let log = source.holding(population.member()).dematerialize().logged()
            input.sendNext(.next(1))
            expect(population.alive, is: 1)
            input.sendNext(ending)
            expect(population.alive, is: 0)
            input.sendNext(.next(2))
            input.sendNext(.completed)
            input.sendCompleted()
            expect(log.all, is: ["1", ending.text])
        }
    }

    @Test("forwards the completion or interruption of the source")
    func outerEnd() {
        for ending in [Event<Event<Int, TestError>, Never>.completed, .interrupted] {
            let population = Population()
            let (source, input) = Materialized.pipe()
            let log = source.holding(population.member()).dematerialize().logged()
            input.sendNext(.next(1))
            input.send(ending)
            expect(population.alive, is: 0)
            expect(log.all, is: ["1", ending.text])
        }
    }

    @Test("interrupts its observers if the source has already ended")
    func ended() { expect(Materialized.empty.dematerialize().logged().all, is: ["interrupted"]) }

    @Test("drops events after a terminal event, including re-entrant ones")
    func reentrant() {
        let (source, input) = Materialized.pipe()
        let log = Log<String>()
        source.dematerialize().observe { event in
            log.append(event.text)
            input.sendNext(event.isTerminating ? .next(9) : .error(.second))
            input.sendNext(.completed)
        }
        input.sendNext(.next(1))
        expect(log.all, is: ["1", "error second"])
    }

    @Test("releases the source when it is disposed of")
    func disposal() {
        let population = Population()
        let (source, input) = Materialized.pipe()
        let disposable = source.holding(population.member()).dematerialize().observe { _ in }
        input.sendNext(.next(1))
        disposable?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(input) {}
    }

    @Test("has the operator's name")
    func name() { expect(Materialized.never.dematerialize().name, is: "[never] -dematerialize") }
}

import ReactiveSignals
import TestSupport
import Testing

@Suite("defaultIfEmpty")
struct DefaultIfEmptyTests {
    @Test("sends the default value before the completion of an empty source, and otherwise forwards every event")
    func model() {
        expectModel {
            $0.defaultIfEmpty(9)
        } does: { values, ending in
            let isEmpty = values.isEmpty && ending == .completed
            return (isEmpty ? ["9"] : values.map(String.init)) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("can send nil as the default, and counts nil as a value")
    func optional() {
        let (source, input) = Signal<Int?, TestError>.pipe()
        let log = source.defaultIfEmpty(1).logged()
        input.sendNext(nil)
        input.sendCompleted()
        expect(log.all, is: ["nil", "completed"])
        let (empty, emptyInput) = Signal<Int?, TestError>.pipe()
        let none = empty.defaultIfEmpty(nil).logged()
        emptyInput.sendCompleted()
        expect(none.all, is: ["nil", "completed"])
    }

    @Test("drops events that its observer sends while it receives the default")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.defaultIfEmpty(9).observe { event in
            log.append(event.text)
            input.sendNext(1)
        }
        input.sendCompleted()
        expect(log.all, is: ["9", "completed"])
    }

    @Test("releases the default at the first value or when the source ends")
    func releases() {
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.defaultIfEmpty(population.member())
            expect(population.alive, is: 1)
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (source, input) = Signal<Int, TestError>.pipe()
        let result = source.map { _ in Population.Member?.none }.defaultIfEmpty(population.member())
        let disposable = result.observe { _ in }
        input.sendNext(1)
        expect(population.alive, is: 0)
        disposable?.dispose()
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.defaultIfEmpty(9) } }

    @Test("has the operator's name")
    func name() { expect(Source.never.defaultIfEmpty(9).name, is: "[never] -defaultIfEmpty:") }
}

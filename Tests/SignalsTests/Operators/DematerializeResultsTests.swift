import ReactiveSignals
import TestSupport
import Testing

@Suite("dematerializeResults")
struct DematerializeResultsTests {
    private typealias Results = Signal<Result<Int, TestError>, Never>

    @Test("sends the success values")
    func values() {
        let (source, input) = Results.pipe()
        let result = source.dematerializeResults()
        #expect(type(of: result) == Source.self)
        let log = result.logged()
        for value in 1...3 { input.sendNext(.success(value)) }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("reverses materializeResults")
    func inverse() {
        expectModel {
            $0.materializeResults().dematerializeResults()
        } does: { values, ending in
            values.map(String.init) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("fails at the first failure, and releases the source in the same call")
    func fails() {
        let population = Population()
        let (source, input) = Results.pipe()
        let log = source.holding(population.member()).dematerializeResults().logged()
        input.sendNext(.success(1))
        expect(population.alive, is: 1)
        input.sendNext(.failure(.second))
        expect(population.alive, is: 0)
        input.sendNext(.success(2))
        input.sendNext(.failure(.first))
        input.sendCompleted()
        expect(log.all, is: ["1", "error second"])
    }

    @Test("forwards the completion or interruption of the source")
    func outerEnd() {
        for ending in [Event<Result<Int, TestError>, Never>.completed, .interrupted] {
            let population = Population()
            let (source, input) = Results.pipe()
            let log = source.holding(population.member()).dematerializeResults().logged()
            input.send(ending)
            expect(population.alive, is: 0)
            expect(log.all, is: [ending.text])
        }
        expect(Results.empty.dematerializeResults().logged().all, is: ["interrupted"])
    }

    @Test("drops events after the error, including re-entrant ones")
    func reentrant() {
        let (source, input) = Results.pipe()
        let log = Log<String>()
        source.dematerializeResults().observe { event in
            log.append(event.text)
            input.sendNext(.failure(.second))
            input.sendNext(.success(9))
        }
        input.sendNext(.success(1))
        expect(log.all, is: ["1", "error second"])
    }

    @Test("has the operator's name")
    func name() { expect(Results.never.dematerializeResults().name, is: "[never] -dematerializeResults") }
}

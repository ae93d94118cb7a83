import ReactiveSignals
import TestSupport
import Testing

@Suite("skipNil")
struct SkipNilTests {
    @Test("drops nil and unwraps the rest")
    func drops() {
        for values in sequences(of: [nil, 1, 2], upTo: 4) {
            let (source, input) = Signal<Int?, TestError>.pipe()
            let result = source.skipNil()
            #expect(type(of: result) == Source.self)
            let log = result.logged()
            for value in values { input.sendNext(value) }
            input.sendCompleted()
            expect(log.all, is: values.compactMap { $0.map(String.init) } + ["completed"])
        }
    }

    @Test("unwraps one level only")
    func oneLevel() {
        let (source, input) = Signal<Int??, Never>.pipe()
        let log = Log<Int?>()
        source.skipNil().observeNext { log.append($0) }
        for value in [Int??.none, .some(nil), .some(1)] { input.sendNext(value) }
        expect(log.all, is: [nil, 1])
        withExtendedLifetime(input) {}
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.map { Optional($0) }.skipNil() } }

    @Test("retains none of the values")
    func releases() {
        let population = Population()
        let (source, input) = Signal<Population.Member?, TestError>.pipe()
        let log = source.skipNil().map { _ in 1 }.logged()
        for value in [population.member(), nil] { input.sendNext(value) }
        expect(population.alive, is: 0)
        expect(log.all, is: ["1"])
        withExtendedLifetime(input) {}
    }

    @Test("has the operator's name")
    func name() { #expect(Signal<Int?, Never>.never.skipNil().name == "[never] -skipNil") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("skipNil() of producers")
struct SkipNilTests {
    @Test("drops nil, and unwraps the rest by one layer")
    func skips() {
        let numbers = SignalProducer<Int?, TestError>([1, nil, 3]).skipNil()
        #expect(type(of: numbers) == Numbers.self)
        expect(numbers.logged().all, is: ["1", "3", "completed"])
        let twice = SignalProducer<Int??, TestError>([.some(nil), nil, 2]).skipNil()
        expect(twice.logged().all, is: ["nil", "Optional(2)", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.map(Optional.some).skipNil() }
        expectFollows(values: []) { $0.map { $0 == 1 ? nil : $0 }.skipNil() }
    }

    @Test("has the operator's name")
    func name() { #expect(SignalProducer<Int?, TestError>.never.skipNil().name == "[never] -skipNil") }
}

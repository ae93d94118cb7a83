import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("ignoreValues() of producers")
struct IgnoreValuesTests {
    @Test("forwards only the terminal event, as a producer without values")
    func ignores() {
        let producer = Numbers([1, 2]).ignoreValues()
        #expect(type(of: producer) == SignalProducer<Never, TestError>.self)
        expect(producer.logged().all, is: ["completed"])
    }

    @Test("still does the work")
    func work() {
        let seen = Log<Int>()
        Numbers([1, 2]).on(next: { seen.append($0) }).ignoreValues().start()
        expect(seen.all, is: [1, 2])
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: []) { $0.ignoreValues() } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.ignoreValues().name, is: "[never] -ignoreValues") }
}

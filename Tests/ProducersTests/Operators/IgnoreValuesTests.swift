import ReactiveSignals
import TestSupport
import Testing

@Suite("ignoreValues() of producers")
struct IgnoreValuesTests {
    @Test("passes on only the end, as a producer that has no values")
    func ignores() {
        let producer = Numbers([1, 2]).ignoreValues()
        #expect(type(of: producer) == SignalProducer<Never, TestError>.self)
        expect(producer.logged().all, is: ["completed"])
    }

    @Test("does the work all the same")
    func work() {
        let seen = Log<Int>()
        Numbers([1, 2]).on(next: { seen.append($0) }).ignoreValues().start()
        expect(seen.all, is: [1, 2])
    }

    @Test("follows its source, each start on its own")
    func follows() { expectFollows(values: []) { $0.ignoreValues() } }

    @Test("is called so") func name() { expect(Numbers.never.ignoreValues().name, is: "[never] -ignoreValues") }
}

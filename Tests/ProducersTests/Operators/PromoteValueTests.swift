import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("promoteValue(_:) of producers")
struct PromoteValueTests {
    @Test("gives a producer without values a value type, inferred or named")
    func promotes() {
        let nothing = SignalProducer<Never, TestError>.empty
        let texts: SignalProducer<String, TestError> = nothing.promoteValue()
        expect(texts.logged().all, is: ["completed"])
        expect(texts.concat(value: "a").logged().all, is: ["a", "completed"])
        #expect(type(of: nothing.promoteValue(Int.self)) == Numbers.self)
        expect(nothing.promoteValue(Int.self).name, is: "[empty] -promoteValue")
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: []) { $0.ignoreValues().promoteValue(Int.self) } }
}

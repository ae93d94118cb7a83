import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("map of producers")
struct MapTests {
    @Test("sends the closure's result for each value")
    func maps() {
        expect(Numbers([1, 2]).map { "<\($0)>" }.logged().all, is: ["<1>", "<2>", "completed"])
        // The closure of `map` takes the producer's value type, even if the context leaves other types open.
        let texts = Numbers(value: 1).map { "x \($0)" }
        #expect(type(of: texts) == SignalProducer<String, TestError>.self)
    }

    @Test("accepts a key path, as a literal and as a value")
    func keyPath() {
        let texts = SignalProducer<String, TestError>(["a", "bcd"])
        expect(texts.map(\.count).logged().all, is: ["1", "3", "completed"])
        let path: any KeyPath<String, Bool> & Sendable = \.isEmpty
        expect(texts.map(path).logged().all, is: ["false", "false", "completed"])
        expect(texts.map(path).name, is: "[values] -map:")
    }

    @Test("calls its closure separately for each start, and not before")
    func perStart() {
        let calls = Counter()
        let producer = Numbers([10, 20]).map { $0 + calls.increment() }
        expect(calls.value, is: 0)
        expect(producer.logged().all, is: ["11", "22", "completed"])
        expect(producer.logged().all, is: ["13", "24", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["-1"]) { $0.map { -$0 } }
        let path: any KeyPath<Int, String> & Sendable = \.description
        expectFollows { $0.map(path) }
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.map { member.through($0) } } }

    @Test("has the operator's name") func name() { expect(Numbers.never.map { $0 }.name, is: "[never] -map:") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("reduce of producers")
struct ReduceTests {
    @Test("sends the result on completion, or the initial result for an empty source")
    func reduces() {
        expect(Numbers([1, 2, 3]).reduce(10, +).logged().all, is: ["16", "completed"])
        expect(Numbers.empty.reduce(10, +).logged().all, is: ["10", "completed"])
        let texts = Numbers([1, 2]).reduce(into: "") { $0 += "\($1)" }
        expect(texts.logged().all, is: ["12", "completed"])
        expect(texts.logged().all, is: ["12", "completed"], "and again")
    }

    @Test("combines values as they arrive, not all at the end")
    func atOnce() {
        let manual = Manual()
        let combined = Log<Int>()
        let log = manual.producer.reduce(0) { result, value in
            combined.append(value)
            return result + value
        }.logged()
        manual.input?.sendNext(1)
        expect(combined.all, is: [1])
        #expect(log.all.isEmpty)
        manual.input?.sendNext(2)
        manual.input?.sendCompleted()
        expect(log.all, is: ["3", "completed"])
        expect(manual.disposals.value, is: 1)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: [], flushed: ["11"]) { $0.reduce(10, +) }
        expectFollows(values: [], flushed: ["[1]"]) { $0.reduce(into: [Int]()) { $0.append($1) } }
    }

    @Test("holds neither its closure nor its result once it has ended")
    func releases() {
        expectReleases { source, member in source.reduce(0) { member.through($0 + $1) } }
        expectReleases { source, member in source.reduce(into: [member]) { _, _ in } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.reduce(0, +).name, is: "[never] -reduce:")
        expect(Numbers.never.reduce(into: 0) { $0 = $1 }.name, is: "[never] -reduce:")
    }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("scan of producers")
struct ScanTests {
    @Test("sends every partial result, but not the initial one")
    func partials() {
        expect(Numbers([1, 2, 3]).scan(10, +).logged().all, is: ["11", "13", "16", "completed"])
        expect(Numbers.empty.scan(10, +).logged().all, is: ["completed"])
        let texts = Numbers([1, 2]).scan(into: "") { $0 += "\($1)" }
        expect(texts.logged().all, is: ["1", "12", "completed"])
    }

    @Test("begins each start with the initial result")
    func perStart() {
        let manual = Manual()
        let producer = manual.producer.scan(into: [Int]()) { $0.append($1) }
        let first = producer.logged()
        let firstInput = manual.input
        firstInput?.sendNext(1)
        let second = producer.logged()
        manual.input?.sendNext(2)
        firstInput?.sendNext(3)
        firstInput?.sendCompleted()
        manual.input?.sendError(.first)
        expect(first.all, is: ["[1]", "[1, 3]", "completed"])
        expect(second.all, is: ["[2]", "error first"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["11"]) { $0.scan(10, +) }
        expectFollows(values: ["[1]"]) { $0.scan(into: [Int]()) { $0.append($1) } }
    }

    @Test("holds neither its closure nor its result once it has ended")
    func releases() {
        expectReleases { source, member in source.scan(0) { member.through($0 + $1) } }
        expectReleases { source, member in source.scan(into: [member]) { _, _ in } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.scan(0, +).name, is: "[never] -scan:")
        expect(Numbers.never.scan(into: 0) { $0 = $1 }.name, is: "[never] -scan:")
    }
}

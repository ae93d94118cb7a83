import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("contains(where:) of producers")
struct ContainsTests {
    @Test("sends `true` with the first value that matches, or `false` on completion")
    func answers() {
        expect(Numbers([1, 2]).contains { $0 > 2 }.logged().all, is: ["false", "completed"])
        expect(Numbers([1, 2, 3]).contains { $0 == 2 }.logged().all, is: ["true", "completed"])
        expect(Numbers.empty.contains { _ in true }.logged().all, is: ["false", "completed"])
    }

    @Test("cancels the work with the first value that matches, and computes no further value")
    func stops() {
        let manual = Manual()
        let log = manual.producer.contains { $0 == 2 }.logged()
        manual.input?.sendNext(1)
        expect(manual.disposals.value, is: 0)
        manual.input?.sendNext(2)
        expect(manual.disposals.value, is: 1)
        expect(log.all, is: ["true", "completed"])
        let asked = Counter()
        expect(Numbers(CountedNumbers(asked)).contains { $0 == 3 }.logged().all, is: ["true", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: [], flushed: ["false"]) { $0.contains { $0 > 1 } } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.contains { member.through($0 > 1) } } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.contains { $0 > 1 }.name, is: "[never] -contains(where:)") }
}

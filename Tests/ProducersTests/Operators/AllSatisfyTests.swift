import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("allSatisfy(_:) of producers")
struct AllSatisfyTests {
    @Test("sends `false` with the first value that fails, or `true` on completion")
    func answers() {
        expect(Numbers([1, 2]).allSatisfy { $0 < 3 }.logged().all, is: ["true", "completed"])
        expect(Numbers([1, 2, 3]).allSatisfy { $0 != 2 }.logged().all, is: ["false", "completed"])
        expect(Numbers.empty.allSatisfy { _ in false }.logged().all, is: ["true", "completed"])
    }

    @Test("cancels the work with the first value that fails, and computes no further value")
    func stops() {
        let manual = Manual()
        let log = manual.producer.allSatisfy { $0 < 2 }.logged()
        manual.input?.sendNext(1)
        expect(manual.disposals.value, is: 0)
        manual.input?.sendNext(2)
        expect(manual.disposals.value, is: 1)
        expect(log.all, is: ["false", "completed"])
        let asked = Counter()
        expect(Numbers(CountedNumbers(asked)).allSatisfy { $0 < 3 }.logged().all, is: ["false", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: [], flushed: ["true"]) { $0.allSatisfy { $0 > 0 } } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.allSatisfy { member.through($0 > 0) } } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.allSatisfy { $0 > 0 }.name, is: "[never] -allSatisfy:") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("first(where:) of producers")
struct FirstWhereTests {
    @Test("sends the first matching value and completes, or ends with the source")
    func first() {
        let producer = Numbers([1, 2, 3]).first { $0 > 1 }
        for _ in 0..<2 { expect(producer.logged().all, is: ["2", "completed"]) }
        expect(Numbers([1, 2, 3]).first { $0 > 3 }.logged().all, is: ["completed"])
        expect(Numbers([1]).concat(error: .first).first { $0 > 3 }.logged().all, is: ["error first"])
    }

    @Test("cancels the work with the matching value, and computes no further value")
    func stops() {
        let manual = Manual()
        let log = manual.producer.first { $0 > 1 }.logged()
        manual.input?.sendNext(1)
        expect(manual.disposals.value, is: 0)
        manual.input?.sendNext(2)
        expect(manual.disposals.value, is: 1)
        expect(log.all, is: ["2", "completed"])
        let asked = Counter()
        expect(Numbers(CountedNumbers(asked)).first { $0 == 3 }.logged().all, is: ["3", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: []) { $0.first { $0 > 1 } } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.first { member.through($0 > 1) } } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.first { $0 > 0 }.name, is: "[never] -first(where:)") }
}

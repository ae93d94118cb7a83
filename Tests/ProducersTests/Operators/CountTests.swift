import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("count() of producers")
struct CountTests {
    @Test("sends the number of values on completion, even if there are none")
    func counts() {
        let producer = Numbers([4, 4, 4]).count()
        for _ in 0..<2 { expect(producer.logged().all, is: ["3", "completed"]) }
        expect(Numbers.empty.count().logged().all, is: ["0", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: [], flushed: ["1"]) { $0.count() } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.map { member.through($0) }.count() } }

    @Test("has the operator's name") func name() { expect(Numbers.never.count().name, is: "[never] -count") }
}

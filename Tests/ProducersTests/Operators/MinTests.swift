import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("min of producers")
struct MinTests {
    @Test("sends the smallest value on completion, or none if there was no value")
    func min() {
        let producers = [Numbers([2, 1, 3, 2]).min(), Numbers([2, 1, 3, 2]).min(by: <)]
        for producer in producers {
            for _ in 0..<2 { expect(producer.logged().all, is: ["1", "completed"]) }
        }
        expect(Numbers.empty.min().logged().all, is: ["completed"])
        expect(Numbers.empty.min(by: <).logged().all, is: ["completed"])
        expect(Numbers([2, 1, 3]).min(by: >).logged().all, is: ["3", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: [], flushed: ["1"]) { $0.min() }
        expectFollows(values: [], flushed: ["1"]) { $0.min(by: <) }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.min { member.through($0 < $1) } }
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.min { _, _ in false } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.min().name, is: "[never] -min")
        expect(Numbers.never.min(by: <).name, is: "[never] -min(by:)")
    }
}

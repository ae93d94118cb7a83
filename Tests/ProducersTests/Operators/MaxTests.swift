import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("max of producers")
struct MaxTests {
    @Test("sends the largest value on completion, or none if there was no value")
    func max() {
        let producers = [Numbers([2, 1, 3, 2]).max(), Numbers([2, 1, 3, 2]).max(by: <)]
        for producer in producers {
            for _ in 0..<2 { expect(producer.logged().all, is: ["3", "completed"]) }
        }
        expect(Numbers.empty.max().logged().all, is: ["completed"])
        expect(Numbers.empty.max(by: <).logged().all, is: ["completed"])
        expect(Numbers([2, 1, 3]).max(by: >).logged().all, is: ["1", "completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: [], flushed: ["1"]) { $0.max() }
        expectFollows(values: [], flushed: ["1"]) { $0.max(by: <) }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.max { member.through($0 < $1) } }
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.max { _, _ in false } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.max().name, is: "[never] -max")
        expect(Numbers.never.max(by: <).name, is: "[never] -max(by:)")
    }
}

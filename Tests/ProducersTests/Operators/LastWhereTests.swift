import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("last(where:) of producers")
struct LastWhereTests {
    @Test("sends the last matching value on completion, if there is one")
    func last() {
        let producer = Numbers([1, 2, 3]).last { $0 < 3 }
        for _ in 0..<2 { expect(producer.logged().all, is: ["2", "completed"]) }
        expect(Numbers([1, 2, 3]).last { $0 > 3 }.logged().all, is: ["completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: [], flushed: ["1"]) { $0.last { $0 == 1 } }
        expectFollows(values: []) { $0.last { $0 > 1 } }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.last { member.through($0 > 0) } }
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.last { _ in true } }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.last { $0 > 0 }.name, is: "[never] -last(where:)") }
}

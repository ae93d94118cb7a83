import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("mapReplace(_:) of producers")
struct MapReplaceTests {
    @Test("sends the constant, which may have any type, for each value")
    func replaces() {
        expect(Numbers([1, 2]).mapReplace("x").logged().all, is: ["x", "x", "completed"])
        expect(Numbers([1, 2]).mapReplace(()).logged().all, is: ["()", "()", "completed"])
        expect(Numbers([1]).mapReplace(Int?.none).logged().all, is: ["nil", "completed"])
        expect(Numbers.empty.mapReplace("x").logged().all, is: ["completed"])
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(values: ["7"]) { $0.mapReplace(7) } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.mapReplace(member) } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.mapReplace(7).name, is: "[never] -mapReplace:") }
}

import ReactiveSignals
import TestSupport
import Testing

@Suite("mapReplace(_:) of producers")
struct MapReplaceTests {
    @Test("sends the constant for each value, of any type")
    func replaces() {
        expect(Numbers([1, 2]).mapReplace("x").logged().all, is: ["x", "x", "completed"])
        expect(Numbers([1, 2]).mapReplace(()).logged().all, is: ["()", "()", "completed"])
        expect(Numbers([1]).mapReplace(Int?.none).logged().all, is: ["nil", "completed"])
        expect(Numbers.empty.mapReplace("x").logged().all, is: ["completed"])
    }

    @Test("follows its source, each start on its own")
    func follows() { expectFollows(values: ["7"]) { $0.mapReplace(7) } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.mapReplace(member) } }

    @Test("is called so") func name() { expect(Numbers.never.mapReplace(7).name, is: "[never] -mapReplace:") }
}

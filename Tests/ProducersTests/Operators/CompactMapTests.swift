import ReactiveSignals
import TestSupport
import Testing

@Suite("compactMap(_:) of producers")
struct CompactMapTests {
    @Test("sends what the closure makes of values, and drops those of which it makes nothing")
    func maps() {
        let texts = SignalProducer<String, TestError>(["1", "x", "3"])
        expect(texts.compactMap { Int($0) }.logged().all, is: ["1", "3", "completed"])
        expect(Numbers([1, 2]).compactMap { _ in Int?.none }.logged().all, is: ["completed"])
        // Only one layer of optionals goes.
        expect(Numbers([1]).compactMap { _ in .some(Int?.none) }.logged().all, is: ["nil", "completed"])
    }

    @Test("asks an endless source for no more than is wanted of what is left")
    func endless() {
        let asked = Counter()
        let odd = Numbers(CountedNumbers(asked)).compactMap { $0 % 2 == 1 ? "\($0)!" : nil }.take(first: 2)
        expect(odd.logged().all, is: ["1!", "3!", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, each start on its own")
    func follows() {
        expectFollows(values: ["-1"]) { $0.compactMap { -$0 } }
        expectFollows(values: []) { $0.compactMap { $0 == 1 ? nil : $0 } }
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.compactMap { member.through(Optional($0)) } } }

    @Test("is called so") func name() { expect(Numbers.never.compactMap { $0 }.name, is: "[never] -compactMap:") }
}

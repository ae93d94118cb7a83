import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("compactMap(_:) of producers")
struct CompactMapTests {
    @Test("sends the closure's results, and drops values for which it returns nil")
    func maps() {
        let texts = SignalProducer<String, TestError>(["1", "x", "3"])
        expect(texts.compactMap { Int($0) }.logged().all, is: ["1", "3", "completed"])
        expect(Numbers([1, 2]).compactMap { _ in Int?.none }.logged().all, is: ["completed"])
        // Only one layer of optionals is removed.
        expect(Numbers([1]).compactMap { _ in .some(Int?.none) }.logged().all, is: ["nil", "completed"])
    }

    @Test("requests no more from an endless source than it needs for its output")
    func endless() {
        let asked = Counter()
        let odd = Numbers(CountedNumbers(asked)).compactMap { $0 % 2 == 1 ? "\($0)!" : nil }.take(first: 2)
        expect(odd.logged().all, is: ["1!", "3!", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["-1"]) { $0.compactMap { -$0 } }
        expectFollows(values: []) { $0.compactMap { $0 == 1 ? nil : $0 } }
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.compactMap { member.through(Optional($0)) } } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.compactMap { $0 }.name, is: "[never] -compactMap:") }
}

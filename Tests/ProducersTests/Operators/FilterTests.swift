import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("filter(_:) of producers")
struct FilterTests {
    @Test("forwards the values for which the closure returns `true`")
    func filters() {
        expect(Numbers(1...4).filter { $0 % 2 == 0 }.logged().all, is: ["2", "4", "completed"])
        expect(Numbers(1...4).filter { _ in false }.logged().all, is: ["completed"])
    }

    @Test("requests no more from an endless source than it needs for its output")
    func endless() {
        let asked = Counter()
        let odd = Numbers(CountedNumbers(asked)).filter { $0 % 2 == 1 }.take(first: 2)
        expect(odd.logged().all, is: ["1", "3", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.filter { $0 > 0 } }
        expectFollows(values: []) { $0.filter { $0 > 1 } }
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.filter { member.through($0 > 0) } } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.filter { $0 > 0 }.name, is: "[never] -filter:") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(while:) of producers")
struct SkipWhileTests {
    @Test("drops values until one fails, and then no longer calls the closure")
    func skips() {
        let asked = Log<Int>()
        let producer = Numbers([1, 2, 3, 1]).skip(while: { value in
            asked.append(value)
            return value < 3
        })
        for _ in 0..<2 {
            asked.removeAll()
            expect(producer.logged().all, is: ["3", "1", "completed"])
            expect(asked.all, is: [1, 2, 3])
        }
        expect(Numbers([1, 2]).skip(while: { _ in true }).logged().all, is: ["completed"])
    }

    @Test("requests no more from an endless source than it needs for its output")
    func endless() {
        let asked = Counter()
        let numbers = Numbers(CountedNumbers(asked)).skip(while: { $0 < 3 }).take(first: 2)
        expect(numbers.logged().all, is: ["3", "4", "completed"])
        expect(asked.value, is: 5)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.skip(while: { $0 > 1 }) }
        expectFollows(values: []) { $0.skip(while: { $0 == 1 }) }
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.skip(while: { member.through($0 > 1) }) } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.skip(while: { $0 > 1 }).name, is: "[never] -skip(while:)") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(while:) of producers")
struct TakeWhileTests {
    @Test("forwards values before the first that fails, then completes and stops an endless source")
    func takes() {
        let asked = Counter()
        let producer = Numbers(CountedNumbers(asked)).take(while: { $0 < 2 })
        for round in 1...2 {
            expect(producer.logged().all, is: ["0", "1", "completed"])
            expect(asked.value, is: round * 3)
        }
        expect(Numbers([1, 2, 1]).take(while: { _ in true }).logged().all, is: ["1", "2", "1", "completed"])
        expect(Numbers([1, 2]).take(while: { _ in false }).logged().all, is: ["completed"])
    }

    @Test("cancels only the work of the start whose value fails")
    func cancels() {
        let manual = Manual()
        let producer = manual.producer.take(while: { $0 < 2 })
        let (log, input) = (producer.logged(), manual.input)
        let other = producer.logged()
        input?.sendNext(1)
        expect(manual.disposals.value, is: 0)
        input?.sendNext(2)
        input?.sendNext(1)
        expect(manual.disposals.value, is: 1)
        expect(log.all, is: ["1", "completed"])
        manual.input?.sendNext(1)
        manual.input?.sendError(.first)
        expect(other.all, is: ["1", "error first"])
    }

    @Test("does not call the closure after a value has failed")
    func asks() {
        let asked = Log<Int>()
        let manual = Manual()
        manual.producer.take(while: { value in
            asked.append(value)
            return value < 2
        }).start { if $0.value != nil { manual.input?.sendNext(2) } }
        manual.input?.sendNext(1)
        expect(asked.all, is: [1, 2])
        expect(manual.disposals.value, is: 1)
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows { $0.take(while: { $0 < 2 }) } }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.take(while: { member.through($0 < 2) }) } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.take(while: { $0 < 2 }).name, is: "[never] -take(while:)") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("combinePrevious of producers")
struct CombinePreviousTests {
    @Test("sends each value with the previous one")
    func pairs() {
        expect(Numbers([1, 2, 3]).combinePrevious(0).logged().all, is: ["(0, 1)", "(1, 2)", "(2, 3)", "completed"])
        expect(Numbers([1, 2, 3]).combinePrevious().logged().all, is: ["(1, 2)", "(2, 3)", "completed"])
        expect(Numbers(value: 1).combinePrevious().logged().all, is: ["completed"])
        expect(Numbers.empty.combinePrevious(0).logged().all, is: ["completed"])
    }

    @Test("begins each start with the initial value, or without one")
    func perStart() {
        let manual = Manual()
        let (with, without) = (manual.producer.combinePrevious(0), manual.producer.combinePrevious())
        for _ in 0..<2 {
            let log = with.logged()
            for value in [5, 6] { manual.input?.sendNext(value) }
            manual.input?.sendCompleted()
            expect(log.all, is: ["(0, 5)", "(5, 6)", "completed"])
            let other = without.logged()
            for value in [5, 6] { manual.input?.sendNext(value) }
            manual.input?.sendError(.first)
            expect(other.all, is: ["(5, 6)", "error first"])
        }
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["(0, 1)"]) { $0.combinePrevious(0) }
        expectFollows(values: []) { $0.combinePrevious() }
    }

    @Test("holds no value once it has ended")
    func releases() {
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.combinePrevious() }
        expectReleases { source, member in source.map { _ in member }.combinePrevious(member) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.combinePrevious(0).name, is: "[never] -combinePrevious:")
        expect(Numbers.never.combinePrevious().name, is: "[never] -combinePrevious")
    }
}

import ReactiveSignals
import TestSupport
import Testing

@Suite("max")
struct MaxTests {
    private struct Ranked: Comparable {
        let rank: Int
        let number: Int

        static func < (first: Ranked, second: Ranked) -> Bool { first.rank < second.rank }
        static func == (first: Ranked, second: Ranked) -> Bool { first.rank == second.rank }
    }

    @Test("on completion sends the largest value, if any, and otherwise only the terminal event")
    func max() {
        func result(_ values: [Int], _ ending: Event<Int, TestError>?) -> [String] {
            (ending == .completed ? [values.max()?.description] : []).compactMap(\.self)
                + [ending?.text].compactMap(\.self)
        }
        expectModel {
            $0.max()
        } does: {
            result($0, $1)
        }
        expectModel {
            $0.max(by: <)
        } does: {
            result($0, $1)
        }
    }

    @Test("sends the first of several equal values")
    func equal() {
        let (source, input) = Signal<Ranked, TestError>.pipe()
        let plain = source.max().map(\.number).logged()
        let ordered = source.max { $0.rank < $1.rank }.map(\.number).logged()
        for (rank, number) in [(5, 0), (2, 1), (8, 2), (2, 3), (8, 4), (5, 5)] {
            input.sendNext(Ranked(rank: rank, number: number))
        }
        input.sendCompleted()
        expect(plain.all, is: ["2", "completed"])
        expect(ordered.all, is: ["2", "completed"])
    }

    @Test("treats nil as a value")
    func optional() {
        let (source, input) = Signal<Int?, TestError>.pipe()
        let log = source.max { $0 ?? 0 < $1 ?? 0 }.logged()
        input.sendNext(nil)
        input.sendCompleted()
        expect(log.all, is: ["nil", "completed"])
    }

    @Test("calls its closure once per value except the first, for any number of observers")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.max { first, second in
            calls.increment()
            return first < second
        }
        let logs = (0..<3).map { _ in result.logged() }
        for value in [2, 1, 3] { input.sendNext(value) }
        input.sendCompleted()
        expect(calls.value, is: 2)
        for log in logs { expect(log.all, is: ["3", "completed"]) }
    }

    @Test("releases its closure and its value when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.max { first, second in
                member.touch()
                return first < second
            }
        }
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.max { _, _ in false }
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 1)
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.max() }
        expectForwardsTerminals { $0.max(by: <) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.max().name, is: "[never] -max")
        expect(Source.never.max(by: <).name, is: "[never] -max(by:)")
    }
}

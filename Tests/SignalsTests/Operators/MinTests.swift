import ReactiveSignals
import TestSupport
import Testing

@Suite("min")
struct MinTests {
    private struct Ranked: Comparable {
        let rank: Int
        let number: Int

        static func < (first: Ranked, second: Ranked) -> Bool { first.rank < second.rank }
        static func == (first: Ranked, second: Ranked) -> Bool { first.rank == second.rank }
    }

    @Test("on completion sends the smallest value, if any, and otherwise only the terminal event")
    func min() {
        func result(_ values: [Int], _ ending: Event<Int, TestError>?) -> [String] {
            (ending == .completed ? [values.min()?.description] : []).compactMap(\.self)
                + [ending?.text].compactMap(\.self)
        }
        expectModel {
            $0.min()
        } does: {
            result($0, $1)
        }
        expectModel {
            $0.min(by: <)
        } does: {
            result($0, $1)
        }
    }

    @Test("sends the first of several equal values")
    func equal() {
        let (source, input) = Signal<Ranked, TestError>.pipe()
        let plain = source.min().map(\.number).logged()
        let ordered = source.min { $0.rank < $1.rank }.map(\.number).logged()
        for (rank, number) in [(5, 0), (2, 1), (8, 2), (2, 3), (8, 4), (5, 5)] {
            input.sendNext(Ranked(rank: rank, number: number))
        }
        input.sendCompleted()
        expect(plain.all, is: ["1", "completed"])
        expect(ordered.all, is: ["1", "completed"])
    }

    @Test("treats nil as a value")
    func optional() {
        let (source, input) = Signal<Int?, TestError>.pipe()
        let log = source.min { $0 ?? 0 < $1 ?? 0 }.logged()
        input.sendNext(nil)
        input.sendCompleted()
        expect(log.all, is: ["nil", "completed"])
    }

    @Test("calls its closure once per value except the first, for any number of observers")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.min { first, second in
            calls.increment()
            return first < second
        }
        let logs = (0..<3).map { _ in result.logged() }
        for value in [2, 1, 3] { input.sendNext(value) }
        input.sendCompleted()
        expect(calls.value, is: 2)
        for log in logs { expect(log.all, is: ["1", "completed"]) }
    }

    @Test("releases its closure and its value when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.min { first, second in
                member.touch()
                return first < second
            }
        }
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.min { _, _ in false }
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 1)
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.min() }
        expectForwardsTerminals { $0.min(by: <) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.min().name, is: "[never] -min")
        expect(Source.never.min(by: <).name, is: "[never] -min(by:)")
    }
}

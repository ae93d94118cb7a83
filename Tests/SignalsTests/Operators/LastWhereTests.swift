import ReactiveSignals
import TestSupport
import Testing

@Suite("last(where:)")
struct LastWhereTests {
    @Test("on completion sends the last value that passes, and otherwise only the terminal event")
    func model() {
        for limit in 0...3 {
            expectModel {
                $0.last { $0 <= limit }
            } does: { values, ending in
                let last = ending == .completed ? values.last { $0 <= limit } : nil
                return [last?.description, ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("calls its closure once per value for any number of observers")
    func asksOnce() {
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.last { value in
            asked.append(value)
            return value < 3
        }
        let logs = (0..<3).map { _ in result.logged() }
        for value in [1, 2, 3] { input.sendNext(value) }
        input.sendCompleted()
        expect(asked.all, is: [1, 2, 3])
        for log in logs { expect(log.all, is: ["2", "completed"]) }
    }

    @Test("releases its closure and its value when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.last { _ in
                member.touch()
                return true
            }
        }
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.last { _ in true }
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 1)
            input.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.last { _ in true } } }

    @Test("has the operator's name")
    func name() { expect(Source.never.last { _ in true }.name, is: "[never] -last(where:)") }
}

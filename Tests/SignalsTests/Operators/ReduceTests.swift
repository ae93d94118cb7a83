import ReactiveSignals
import TestSupport
import Testing

@Suite("reduce")
struct ReduceTests {
    @Test("on completion sends the result, or the initial one for an empty source, otherwise only the terminal event")
    func reduces() {
        func result(_ values: [Int], _ ending: Event<Int, TestError>?) -> [String] {
            let result = values.reduce("0") { "(\($0)+\($1))" }
            return (ending == .completed ? [result] : []) + [ending?.text].compactMap(\.self)
        }
        expectModel {
            $0.reduce("0") { "(\($0)+\($1))" }
        } does: {
            result($0, $1)
        }
        expectModel {
            $0.reduce(into: "0") { $0 = "(\($0)+\($1))" }
        } does: {
            result($0, $1)
        }
    }

    @Test("can send nil as its result")
    func optional() {
        let (source, input) = Source.pipe()
        let none = source.reduce(Int?.none) { _, _ in nil }.logged()
        let last = source.reduce(Int?.none) { $1 }.logged()
        let (empty, emptyInput) = Source.pipe()
        let initial = empty.reduce(Int?.none) { $1 }.logged()
        for value in 1...2 { input.sendNext(value) }
        input.sendCompleted()
        emptyInput.sendCompleted()
        expect(none.all, is: ["nil", "completed"])
        expect(last.all, is: ["Optional(2)", "completed"])
        expect(initial.all, is: ["nil", "completed"])
    }

    @Test("calls its closure once per value for any number of observers, including none")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.reduce(0) { result, value in
            calls.increment()
            return result + value
        }
        input.sendNext(1)
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(2)
        input.sendCompleted()
        expect(calls.value, is: 2)
        for log in logs { expect(log.all, is: ["3", "completed"]) }
    }

    @Test("can mutate a collection in place")
    func inPlace() {
        let (source, input) = Source.pipe()
        let log = source.reduce(into: [Int]()) { $0.append($1) }.logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["[1, 2, 3]", "completed"])
    }

    @Test("drops events that its observer sends while it receives the result, as the source has completed")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.reduce(0, +).observe { event in
            log.append(event.text)
            input.sendNext(9)
            input.sendError(.first)
        }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.reduce(0, +) }
        expectForwardsTerminals { $0.reduce(into: 0) { $0 += $1 } }
    }

    @Test("releases its closure and its result when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.reduce(0) { result, _ in
                member.touch()
                return result
            }
        }
        expectReleasesClosure { source, member in source.reduce(into: [member]) { _, _ in } }
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.reduce(into: []) { $0.append($1) }
            let log = result.map(\.count).logged()
            for _ in 0..<3 { input.sendNext(population.member()) }
            expect(population.alive, is: 3)
            input.send(ending)
            expect(population.alive, is: 0)
            expect(log.all.last, is: ending.text)
            withExtendedLifetime(result) {}
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.reduce(0, +).name, is: "[never] -reduce:")
        expect(Source.never.reduce(into: 0) { $0 += $1 }.name, is: "[never] -reduce:")
    }
}

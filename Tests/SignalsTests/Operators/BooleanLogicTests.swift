import ReactiveSignals
import TestSupport
import Testing

private typealias Flags = Signal<Bool, Never>

/// `and` and `or`, and the Boolean operation of each.
private enum Connective: CaseIterable, CustomStringConvertible {
    case and
    case or

    var description: String { self == .and ? "and" : "or" }

    func combine<Failure>(_ first: Signal<Bool, Failure>, _ second: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
        self == .and ? first.and(second) : first.or(second)
    }

    func combine(_ first: Bool, _ second: Bool) -> Bool { self == .and ? first && second : first || second }
}

@Suite("negate")
struct NegateTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        let drawn = played("--true--false--|", "") { source, _ in
            source.map { $0 == "true" }.negate()
        } drawing: {
            "\($0)"
        }
        expect(drawn, is: "--false-true---|")
    }

    @Test("negates every value, and ends with the source")
    func model() {
        expectModel {
            $0.map { $0 == 1 }.negate()
        } does: { values, ending in
            values.map { "\($0 != 1)" } + [ending?.text].compactMap(\.self)
        }
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.map { $0 == 1 }.negate() } }

    @Test("restores the values when it is applied twice")
    func twice() {
        let (source, input) = Flags.pipe()
        let log = source.negate().negate().logged()
        for value in [true, false, false] { input.sendNext(value) }
        expect(log.all, is: ["true", "false", "false"])
    }

    @Test("delivers re-entrant events in order")
    func reentrant() {
        let (source, input) = Flags.pipe()
        let log = Log<String>()
        source.negate().observe { event in
            log.append("begin \(event.text)")
            if event.value == false { input.sendNext(false) }
            log.append("end \(event.text)")
        }
        input.sendNext(true)
        expect(log.all, is: ["begin false", "end false", "begin true", "end true"])
        input.sendInterrupted()
    }

    @Test("has the operator's name") func name() { expect(Flags.never.negate().name, is: "[never] -negate") }
}

@Suite("and, or")
struct BooleanLogicTests {
    @Test("and matches its documentation's diagram")
    func diagramOfAnd() {
        let drawn = played("--true------------false-|", "-------false-true-------|") {
            $0.map { $0 == "true" }.and($1.map { $0 == "true" })
        } drawing: {
            "\($0)"
        }
        expect(drawn, is: "-------false-true-false-|")
    }

    @Test("or matches its documentation's diagram")
    func diagramOfOr() {
        let drawn = played("--true------------false--|", "-------false-true--------|") {
            $0.map { $0 == "true" }.or($1.map { $0 == "true" })
        } drawing: {
            "\($0)"
        }
        expect(drawn, is: "-------true--true-true---|")
    }

    @Test("match their truth tables", arguments: Connective.allCases)
    fileprivate func truth(connective: Connective) {
        for first in [false, true] {
            for second in [false, true] {
                let (a, inputA) = Flags.pipe()
                let (b, inputB) = Flags.pipe()
                let log = connective.combine(a, b).logged()
                inputA.sendNext(first)
                #expect(log.all.isEmpty)
                inputB.sendNext(second)
                expect(log.all, is: ["\(connective.combine(first, second))"])
            }
        }
    }

    @Test(
        "send once both inputs have sent, then with each value, and complete when both complete",
        arguments: Connective.allCases)
    fileprivate func model(connective: Connective) {
        expectModel(others: [.next(0), .completed, .error(.second), .interrupted]) { (source, other: Source) in
            connective.combine(source.map { $0.isMultiple(of: 2) }, other.map { $0 < 3 })
        } does: { steps in
            var first: Bool?
            var second: Bool?
            var completed = 0
            return steps.compactMap { step in
                switch step {
                case .source(.next(let value)): first = value.isMultiple(of: 2)
                case .other(.next(let value)): second = value < 3
                case .source(.completed), .other(.completed):
                    completed += 1
                    return completed == 2 ? "completed" : nil
                case .source(let event), .other(let event): return event.text
                }
                guard let first, let second else { return nil }
                return "\(connective.combine(first, second))"
            }
        }
    }

    @Test("interrupts its observers if an input has already ended", arguments: Connective.allCases)
    fileprivate func ended(connective: Connective) {
        let (signal, input) = Flags.pipe()
        expect(connective.combine(signal, .empty).logged().all, is: ["interrupted"])
        expect(connective.combine(.empty, signal).logged().all, is: ["interrupted"])
        withExtendedLifetime(input) {}
    }

    @Test("of a signal with itself, see the second input's old value once")
    func itself() {
        let (signal, input) = Flags.pipe()
        let and = signal.and(signal).logged()
        let or = signal.or(signal).logged()
        input.sendNext(true)
        input.sendNext(false)
        input.sendCompleted()
        expect(and.all, is: ["true", "false", "false", "completed"])
        // Between the two, the first input is already false and the second is still true.
        expect(or.all, is: ["true", "true", "false", "completed"])
    }

    @Test("deliver re-entrant events in order", arguments: Connective.allCases)
    fileprivate func reentrant(connective: Connective) {
        let (a, inputA) = Flags.pipe()
        let (b, inputB) = Flags.pipe()
        let log = Log<String>()
        let isFirst = OnceFlag()
        connective.combine(a, b).observe { event in
            log.append("begin \(event.text)")
            if isFirst.raise() {
                inputA.sendNext(false)
                inputB.sendNext(false)
            }
            log.append("end \(event.text)")
        }
        inputA.sendNext(true)
        inputB.sendNext(true)
        let between = "\(connective.combine(false, true))"
        expect(
            log.all,
            is: [
                "begin true", "end true", "begin \(between)", "end \(between)", "begin false", "end false",
            ])
        inputA.sendInterrupted()
    }

    @Test("release both inputs when they are no longer observed or retained", arguments: Connective.allCases)
    fileprivate func released(connective: Connective) {
        let population = Population()
        let (a, inputA) = Flags.pipe()
        let (b, inputB) = Flags.pipe()
        _ = connective.combine(a.holding(population.member()), b.holding(population.member()))
        expect(population.alive, is: 0, "nobody ever observed")
        let disposable = connective.combine(a.holding(population.member()), b.holding(population.member()))
            .observe { _ in }
        inputA.sendNext(true)
        expect(population.alive, is: 2)
        disposable?.dispose()
        expect(population.alive, is: 0, "disposed of")
        withExtendedLifetime((inputA, inputB)) {}
    }

    @Test("have their inputs in their names")
    func name() {
        let a = Flags.never.named("a")
        let b = Flags.never.named("b")
        expect(a.and(b).name, is: "+and: (a, b)")
        expect(a.or(b.negate()).name, is: "+or: (a, [b] -negate)")
    }
}

@Suite("all, any")
struct AllAnyTests {
    /// Creates `all` and `any` of signals, and sends what a script says: `a1` sends true from the first signal.
    private func played(_ script: String, of count: Int = 3) -> (all: [String], any: [String]) {
        let pipes = (0..<count).map { _ in Signal<Bool, TestError>.pipe() }
        let all = Signal.all(pipes.map(\.output)).logged()
        let any = Signal.any(pipes.map(\.output)).logged()
        for step in script.split(separator: " ") {
            let input = pipes[Int(step.utf8.first! - 97)].input
            switch step.last {
            case "|": input.sendCompleted()
            case "X": input.sendError(.first)
            case "!": input.sendInterrupted()
            default: input.sendNext(step.last == "1")
            }
        }
        return (all.all, any.all)
    }

    @Test("send whether all, or any, of the latest values are true", arguments: 0..<8)
    func tables(number: Int) {
        let values = (0..<3).map { number & (1 << $0) != 0 }
        let digits = values.map { $0 ? 1 : 0 }
        let (all, any) = played("a\(digits[0]) b\(digits[1]) c\(digits[2])")
        expect(all, is: ["\(values.allSatisfy { $0 })"])
        expect(any, is: ["\(values.contains(true))"])
    }

    @Test("send with each value once every signal has sent one")
    func each() {
        let (all, any) = played("a1 a1 b1 c1 b0 b1 a0 c0 b0")
        expect(all, is: ["true", "false", "true", "false", "false", "false"])
        expect(any, is: ["true", "true", "true", "true", "true", "false"])
    }

    @Test("complete when all signals have completed, and end at once when one fails or is interrupted")
    func ends() {
        for (script, end) in [
            ("a1 b1 c1 a| c| b|", "completed"), ("a1 b1 c1 bX", "error first"), ("c!", "interrupted"),
        ] {
            let (all, any) = played(script)
            expect(all.last, is: end)
            expect(any.last, is: end)
            expect(played(String(script.dropLast(3))).all.contains(end), is: false)
        }
    }

    @Test("forward the values of a single signal")
    func one() {
        let (all, any) = played("a1 a0 a|", of: 1)
        expect(all, is: ["true", "false", "completed"])
        expect(any, is: ["true", "false", "completed"])
    }

    @Test("accept a list of arguments")
    func arguments() {
        let (a, b) = (Flags.pipe(), Flags.pipe())
        let all = Signal.all(a.output, b.output).logged()
        let any = Signal.any(a.output, b.output).logged()
        a.input.sendNext(true)
        b.input.sendNext(false)
        b.input.sendNext(true)
        expect(all.all, is: ["false", "true"])
        expect(any.all, is: ["true", "true"])
    }

    @Test("interrupt their observers if there are no signals")
    func none() {
        expect(Signal.all([Flags]()).logged().all, is: ["interrupted"])
        expect(Signal.any([Flags]()).logged().all, is: ["interrupted"])
    }

    @Test("release the signals when the result is no longer observed")
    func releases() {
        let population = Population()
        let pipes = (0..<2).map { _ in Flags.pipe() }
        let disposable = Signal.all(pipes.map { $0.output.holding(population.member()) }).observe { _ in }
        expect(population.alive, is: 2)
        disposable?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(pipes) {}
    }

    @Test("have their inputs in their names")
    func name() {
        let signals = ["a", "b", "c"].map { Flags.never.named($0) }
        expect(Signal.all(signals).name, is: "+all: (a, b, c)")
        expect(Signal.any(signals).name, is: "+any: (a, b, c)")
    }
}

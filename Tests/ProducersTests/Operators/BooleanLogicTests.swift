import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("negate, and, or of producers")
struct BooleanLogicTests {
    private let flags = SignalProducer<Bool, TestError>([true, false])

    @Test("negates every value")
    func negate() {
        expect(flags.negate().logged().all, is: ["false", "true", "completed"])
        expectFollows(values: ["false"]) { $0.map { $0 == 1 }.negate() }
    }

    @Test("combine the latest values of both, separately for each start")
    func tables() {
        for isFirst in [false, true] {
            for isSecond in [false, true] {
                let script = "a\(isFirst ? 1 : 0) b\(isSecond ? 1 : 0)"
                let conjunction = played(script) { a, b in a.map { $0 == 1 }.and(b.map { $0 == 1 }) }
                expect(conjunction, is: ["\(isFirst && isSecond)"])
                let disjunction = played(script) { a, b in a.map { $0 == 1 }.or(b.map { $0 == 1 }) }
                expect(disjunction, is: ["\(isFirst || isSecond)"])
            }
        }
        expect(
            played("a1 b1 a0 b0") { a, b in a.map { $0 == 1 }.and(b.map { $0 == 1 }) }, is: ["true", "false", "false"])
        expect(
            played("a1 b1 a0 b0") { a, b in a.map { $0 == 1 }.or(b.map { $0 == 1 }) }, is: ["true", "true", "false"])
    }

    @Test("complete when both have completed, and end immediately when one fails or is interrupted")
    func ends() {
        for isAnd in [true, false] {
            let combine: @Sendable (Numbers, Numbers) -> SignalProducer<Bool, TestError> = { a, b in
                let (a, b) = (a.map { $0 == 1 }, b.map { $0 == 1 })
                return isAnd ? a.and(b) : a.or(b)
            }
            expect(played("a1 a| b1 b|", combine), is: ["true", "completed"])
            expect(played("b1 b| a1 a|", combine), is: ["true", "completed"])
            expect(played("a1 b1 aX", combine), is: ["true", "error first"])
            expect(played("bX", combine), is: ["error first"])
            expect(played("a1 a!", combine), is: ["interrupted"])
            expect(played("a1 b!", combine), is: ["interrupted"])
        }
    }

    @Test("start their own work first, then the other's")
    func order() {
        let other = SignalProducer<Bool, TestError>([false, true])
        expect(flags.and(other).logged().all, is: ["false", "false", "completed"])
        expect(flags.or(other).logged().all, is: ["false", "true", "completed"])
        let yes = SignalProducer<Bool, TestError>(value: true)
        expect(flags.and(yes).logged().all, is: ["false", "completed"])
        expect(yes.and(flags).logged().all, is: ["true", "false", "completed"])
    }

    @Test("accept a signal")
    func signal() {
        let (signal, input) = Signal<Bool, TestError>.pipe()
        let conjunction = SignalProducer(value: true).and(signal).logged()
        let disjunction = SignalProducer(value: false).or(signal).logged()
        for value in [true, false] { input.sendNext(value) }
        input.sendCompleted()
        expect(conjunction.all, is: ["true", "false", "completed"])
        expect(disjunction.all, is: ["true", "false", "completed"])
    }

    @Test("have the operators' names")
    func name() {
        let never = SignalProducer<Bool, TestError>.never
        expect(never.negate().name, is: "[never] -negate")
        expect(never.and(never).name, is: "[never] -and:")
        expect(never.or(never).name, is: "[never] -or:")
    }
}

@Suite("all, any of producers")
struct AllAnyTests {
    private typealias Flags = SignalProducer<Bool, TestError>

    @Test("send whether all or any of the latest values are true, separately for each start")
    func played() {
        let all = ProducerTestSupport.played("a1 b1 a0 b0 a1 b1 a| b|") { a, b in
            Flags.all([a, b].map { $0.map { $0 == 1 } })
        }
        expect(all, is: ["true", "false", "false", "false", "true", "completed"])
        let any = ProducerTestSupport.played("a1 b1 a0 b0 a1 b1 a| b|") { a, b in
            Flags.any([a, b].map { $0.map { $0 == 1 } })
        }
        expect(any, is: ["true", "true", "false", "true", "true", "completed"])
        for (script, end) in [("a1 bX", "error first"), ("b1 a!", "interrupted")] {
            expect(
                ProducerTestSupport.played(script) { a, b in Flags.all([a, b].map { $0.map { $0 == 1 } }) }, is: [end])
            expect(
                ProducerTestSupport.played(script) { a, b in Flags.any([a, b].map { $0.map { $0 == 1 } }) }, is: [end])
        }
    }

    @Test("start their inputs in order")
    func order() {
        let producers = [Flags([true, false]), Flags([true, true]), Flags([false, true])]
        expect(Flags.all(producers).logged().all, is: ["false", "false", "completed"])
        expect(Flags.any(producers).logged().all, is: ["true", "true", "completed"])
    }

    @Test("accept a list of arguments, and leading dots")
    func arguments() {
        let (yes, no) = (Flags(value: true), Flags(value: false))
        expect(SignalProducer.all(yes, yes, yes).logged().all, is: ["true", "completed"])
        expect(SignalProducer.all(yes, .init(value: false)).logged().all, is: ["false", "completed"])
        expect(SignalProducer.any(no, yes).logged().all, is: ["true", "completed"])
        expect(yes.and(.init(value: false)).logged().all, is: ["false", "completed"])
        expect(no.or(.init(value: true)).logged().all, is: ["true", "completed"])
        expect(yes.or(.empty).logged().all, is: ["completed"])
    }

    @Test("send `true` for all and `false` for any, without inputs")
    func none() {
        for _ in 0..<2 {
            expect(Flags.all([]).logged().all, is: ["true", "completed"])
            expect(Flags.any([]).logged().all, is: ["false", "completed"])
        }
    }

    @Test("interrupt every producer on disposal")
    func disposal() {
        let manuals = (0..<3).map { _ in Manual() }
        let start = Flags.all(manuals.map { $0.producer.map { $0 == 1 } }).startLogged()
        for manual in manuals { manual.input?.sendNext(1) }
        start.disposable.dispose()
        expect(start.log.all, is: ["true", "interrupted"])
        expect(manuals.map(\.disposals.value), is: [1, 1, 1])
        for manual in manuals { manual.release() }
    }

    @Test("are named after their inputs")
    func name() {
        let producers = ["a", "b"].map { Flags.never.named($0) }
        expect(Flags.all(producers).name, is: "+all: (a, b)")
        expect(Flags.any(producers).name, is: "+any: (a, b)")
    }
}

import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

// The types are explicit because half of this test is that each line compiles, and to which type.

private typealias Safe = SignalProducer<Int, Never>

@Suite("flatMap(_:_:)")
struct FlatMapTests {
    @Test("accepts producers with the error type of the outer producer")
    func sameError() {
        let produced: Numbers = Numbers([1, 2]).flatMap(.merge) { Numbers([$0, $0 * 10]) }
        expect(produced.logged().all, is: ["1", "10", "2", "20", "completed"])

        let (outer, input) = Signal<Int, TestError>.pipe()
        let mapped: Signal<Int, TestError> = outer.flatMap(.concat) { Numbers(value: -$0) }
        let log = mapped.logged()
        input.sendNext(1)
        input.sendError(.second)
        expect(log.all, is: ["-1", "error second"])
    }

    @Test("accepts producers that cannot fail")
    func safeInner() {
        let produced: Numbers = Numbers([1, 2]).flatMap(.merge) { Safe(value: -$0) }
        expect(produced.logged().all, is: ["-1", "-2", "completed"])

        let (outer, input) = Signal<Int, TestError>.pipe()
        let mapped: Signal<Int, TestError> = outer.flatMap(.merge) { Safe(value: -$0) }
        let log = mapped.logged()
        input.sendNext(1)
        input.sendError(.first)
        expect(log.all, is: ["-1", "error first"])
    }

    @Test("accepts producers that fail when the outer producer cannot")
    func safeOuter() {
        let produced: Numbers = Safe([1, 2]).flatMap(.merge) { $0 == 2 ? Numbers(error: .first) : Numbers(value: -$0) }
        expect(produced.logged().all, is: ["-1", "error first"])

        let (outer, input) = Signal<Int, Never>.pipe()
        let mapped: Signal<Int, TestError> = outer.flatMap(.latest) { Numbers(value: -$0) }
        let log = mapped.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["-1", "completed"])
    }

    @Test("cannot fail if neither the outer nor the inner producers can")
    func safe() {
        let produced: Safe = Safe([1, 2]).flatMap(.throttle) { Safe(value: -$0) }
        expect(produced.logged().all, is: ["-1", "-2", "completed"])

        let (outer, input) = Signal<Int, Never>.pipe()
        let mapped: Signal<Int, Never> = outer.flatMap(.race) { Safe(value: -$0) }
        let log = mapped.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["-1", "completed"])
    }

    @Test("accepts results, and fails with the first failure")
    func results() {
        let halves: Numbers = Numbers([2, 4, 5, 6]).flatMap(.concat) { number -> Result<Int, TestError> in
            number % 2 == 0 ? .success(number / 2) : .failure(.second)
        }
        expect(halves.logged().all, is: ["1", "2", "error second"])

        let (outer, input) = Signal<Int, TestError>.pipe()
        let mapped: Signal<Int, TestError> = outer.flatMap(.merge) { number -> Result<Int, TestError> in
            number < 2 ? .success(number) : .failure(.first)
        }
        let log = mapped.logged()
        for number in 1...3 { input.sendNext(number) }
        expect(log.all, is: ["1", "error first"])
    }

    @Test("accepts signals")
    func signals() {
        let pipes = (0..<2).map { _ in Signal<Int, TestError>.pipe() }
        let outputs = pipes.map(\.output)
        let mapped: Numbers = Numbers([0, 1]).flatMap(.merge) { outputs[$0] }
        let log = mapped.logged()
        pipes[1].input.sendNext(1)
        pipes[0].input.sendNext(2)
        pipes[0].input.sendCompleted()
        pipes[1].input.sendNext(3)
        pipes[1].input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("changes the value type, and releases the closure when the work ends")
    func closure() {
        let population = Population()
        let (outer, input) = Signal<Int, TestError>.pipe()
        let log: Log<String>
        do {
            let member = population.member()
            log = outer.flatMap(.merge) { number in
                member.touch()
                return SignalProducer<String, TestError>(value: "<\(number)>")
            }.logged()
        }
        input.sendNext(1)
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(log.all, is: ["<1>", "completed"])
        expect(population.alive, is: 0)
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.flatMap(.merge) { Numbers(value: $0) }.name, is: "[never] -flatMap:")
        #expect(Signal<Int, TestError>.never.flatMap(.merge) { Numbers(value: $0) }.name.hasSuffix("-flatMap:"))
    }
}

import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

// The types are explicit because half of this test is that each line compiles, and to which type.

private typealias Safe = SignalProducer<Int, Never>

@Suite("flatten(_:)")
struct FlattenStreamsTests {
    @Test("accepts producers with the error type of the outer producer")
    func sameError() {
        let produced: Numbers = SignalProducer<Numbers, TestError>([[1, 2], [3]].map { Numbers($0) }).flatten(.concat)
        expect(produced.logged().all, is: ["1", "2", "3", "completed"])
        let failing: Numbers = SignalProducer<Numbers, TestError>([Numbers(value: 1), Numbers(error: .first)])
            .flatten(.merge)
        expect(failing.logged().all, is: ["1", "error first"])

        let (outer, input) = Signal<Numbers, TestError>.pipe()
        let flattened: Signal<Int, TestError> = outer.flatten(.concat)
        let log = flattened.logged()
        input.sendNext(Numbers([1, 2]))
        input.sendError(.second)
        expect(log.all, is: ["1", "2", "error second"])
    }

    @Test("accepts producers that cannot fail")
    func safeInner() {
        let produced: Numbers = SignalProducer<Safe, TestError>([Safe(value: 1), Safe(value: 2)]).flatten(.merge)
        expect(produced.logged().all, is: ["1", "2", "completed"])

        let (outer, input) = Signal<Safe, TestError>.pipe()
        let flattened: Signal<Int, TestError> = outer.flatten(.latest)
        let log = flattened.logged()
        input.sendNext(Safe(value: 1))
        input.sendError(.first)
        expect(log.all, is: ["1", "error first"])
    }

    @Test("accepts producers that fail when the outer producer cannot")
    func safeOuter() {
        let produced: Numbers = SignalProducer<Numbers, Never>([Numbers(value: 1), Numbers(error: .first)])
            .flatten(.merge)
        expect(produced.logged().all, is: ["1", "error first"])

        let (outer, input) = Signal<Numbers, Never>.pipe()
        let flattened: Signal<Int, TestError> = outer.flatten(.throttle)
        let log = flattened.logged()
        input.sendNext(Numbers(value: 1))
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("cannot fail if neither the outer nor the inner producers can")
    func safe() {
        let produced: Safe = SignalProducer<Safe, Never>([Safe(value: 1)]).flatten(.merge)
        expect(produced.logged().all, is: ["1", "completed"])

        let (outer, input) = Signal<Safe, Never>.pipe()
        let flattened: Signal<Int, Never> = outer.flatten(.race)
        let log = flattened.logged()
        input.sendNext(Safe(value: 1))
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("accepts signals as inner streams, and misses the values they send while queued")
    func signals() {
        let (first, firstInput) = Signal<Int, TestError>.pipe()
        let (second, secondInput) = Signal<Int, TestError>.pipe()
        let flattened: Numbers = SignalProducer<Signal<Int, TestError>, TestError>([first, second]).flatten(.concat)
        let log = flattened.logged()
        firstInput.sendNext(1)
        secondInput.sendNext(9)
        firstInput.sendCompleted()
        secondInput.sendNext(2)
        secondInput.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("has the operator's name")
    func name() {
        #expect(SignalProducer<Numbers, TestError>.never.flatten(.merge).name == "[never] -flatten:")
        #expect(Signal<Numbers, TestError>.never.flatten(.merge).name.hasSuffix("-flatten:"))
    }
}

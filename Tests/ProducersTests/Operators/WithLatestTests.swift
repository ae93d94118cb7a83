import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("withLatest(from:) of producers")
struct WithLatestTests {
    private func combined(_ script: String) -> [String] {
        played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in a.withLatest(from: b) }
    }

    @Test("sends each value with the other's latest, separately for each start")
    func combines() { expect(combined("a1 b1 b2 a2 a3 b3 a4"), is: ["(2, 2)", "(3, 2)", "(4, 3)"]) }

    @Test("ends with its source, and keeps the other's latest value when the other ends")
    func ends() {
        expect(combined("b1 a1 a|"), is: ["(1, 1)", "completed"])
        expect(combined("aX"), is: ["error first"])
        expect(combined("b1 a!"), is: ["interrupted"])
        expect(combined("b1 b| a1 a|"), is: ["(1, 1)", "completed"])
        expect(combined("b1 b! a1 a|"), is: ["(1, 1)", "completed"])
        expect(combined("b! a1 a|"), is: ["completed"])
    }

    @Test("starts the other producer first, so that the source finds its synchronous values")
    func order() {
        let other = SignalProducer([7, 8])
        expect(Numbers([1, 2]).withLatest(from: other).logged().all, is: ["(1, 8)", "(2, 8)", "completed"])
        let asked = Counter()
        let first = Numbers(CountedNumbers(asked)).withLatest(from: other).take(first: 2)
        expect(first.logged().all, is: ["(0, 8)", "(1, 8)", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("accepts a signal")
    func signal() {
        let (other, input) = Signal<String, Never>.pipe()
        let manual = Manual()
        let log = manual.producer.withLatest(from: other).logged()
        manual.input?.sendNext(1)
        input.sendNext("x")
        manual.input?.sendNext(2)
        manual.input?.sendCompleted()
        #expect(log.all == [#"(2, "x")"#, "completed"])
    }

    @Test("on a signal accepts a property and a leading dot")
    func property() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let setting = MutableProperty("a")
        let log = signal.withLatest(from: setting).logged()
        let none = signal.withLatest(from: .never).logged()
        let constant = signal.withLatest(from: .init(value: 7)).logged()
        input.sendNext(1)
        setting.value = "b"
        input.sendNext(2)
        expect(log.all, is: [#"(1, "a")"#, #"(2, "b")"#])
        expect(none.all, is: [])
        expect(constant.all, is: ["(1, 7)", "(2, 7)"])
    }

    @Test("on a signal starts a producer immediately, and cancels it with the result")
    func hot() {
        let trigger = Trigger()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let result = signal.withLatest(from: trigger.producer)
        expect(trigger.starts.value, is: 1)
        let log = result.logged()
        trigger.input?.sendNext(7)
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["(1, 7)", "completed"])
        expect(trigger.disposals.value, is: 1)
        let other = signal.withLatest(from: SignalProducer(value: 1))
        expect(other.logged().all, is: ["interrupted"], "the signal has ended")
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.withLatest(from: SignalProducer<Int, Never>.never).name, is: "[never] -withLatest(from:)")
    }
}

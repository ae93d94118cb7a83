import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("sample of producers")
struct SampleTests {
    private func sampled(_ script: String) -> [String] {
        let texts = played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in a.sample(on: b) }
        let pairs = played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in a.sample(with: b).map { $0.0 } }
        expect(texts, is: pairs, "sample(with:) sends when sample(on:) does")
        return texts
    }

    @Test("sends the latest value at each tick, separately for each start")
    func samples() {
        expect(sampled("b1 a1 b2 a2 a3 b3 b4"), is: ["1", "3", "3"])
        let pairs = played("b1 a1 b2 a2 a3 b3 b4") { (a: Numbers, b: SignalProducer<Int, Never>) in a.sample(with: b) }
        expect(pairs, is: ["(1, 2)", "(3, 3)", "(3, 4)"])
    }

    @Test("completes when both have completed, fails with its source, and is interrupted with either")
    func ends() {
        expect(sampled("a1 a| b2 b|"), is: ["1", "completed"])
        expect(sampled("a1 b2 b| a3 a|"), is: ["1", "completed"])
        expect(sampled("a1 aX"), is: ["error first"])
        expect(sampled("a1 b1 a!"), is: ["1", "interrupted"])
        expect(sampled("a1 b1 b!"), is: ["1", "interrupted"])
        expect(sampled("a1 a| b!"), is: ["interrupted"])
    }

    @Test("starts its source first, so that a synchronous sampler finds a value")
    func order() {
        let ticks = SignalProducer([7, 8])
        expect(Numbers([1, 2]).sample(on: ticks).logged().all, is: ["2", "2", "completed"])
        expect(Numbers([1, 2]).sample(with: ticks).logged().all, is: ["(2, 7)", "(2, 8)", "completed"])
    }

    @Test("stops an endless sampler when the result ends")
    func endless() {
        let asked = Counter()
        let ticks = SignalProducer<Int, Never>(CountedNumbers(asked))
        expect(Numbers(value: 1).sample(on: ticks).take(first: 2).logged().all, is: ["1", "1", "completed"])
        expect(asked.value, is: 2)
        let paired = Numbers(value: 1).sample(with: SignalProducer<Int, Never>(CountedNumbers(asked)))
        expect(paired.take(first: 1).logged().all, is: ["(1, 0)", "completed"])
        expect(asked.value, is: 3)
    }

    @Test("accepts a signal, and is interrupted if that signal has ended")
    func signal() {
        let (ticks, input) = Signal<String, Never>.pipe()
        let log = Numbers([1, 2]).sample(with: ticks).logged()
        input.sendNext("x")
        input.sendCompleted()
        #expect(log.all == [#"(2, "x")"#, "completed"])
        expect(Numbers.never.sample(on: ticks).logged().all, is: ["interrupted"])
    }

    @Test("on a signal accepts a property and a leading dot")
    func property() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let tick = MutableProperty("a")
        let on = signal.sample(on: tick).logged()
        let with = signal.sample(with: tick).logged()
        let never = signal.sample(on: .never).logged()
        input.sendNext(1)
        tick.value = "b"
        expect(on.all, is: ["1"])
        expect(with.all, is: [#"(1, "b")"#])
        expect(never.all, is: [])
    }

    @Test("on a signal starts a producer as the sampler immediately, and cancels it with the result")
    func hot() {
        let (trigger, other) = (Trigger(), Trigger())
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = signal.sample(on: trigger.producer).logged()
        let paired = Log<String>()
        let disposable = signal.sample(with: other.producer).observe { paired.append($0.text) }
        #expect((trigger.starts.value, other.starts.value) == (1, 1))
        input.sendNext(1)
        for value in [7, 8] {
            trigger.input?.sendNext(value)
            other.input?.sendNext(value)
        }
        disposable?.dispose()
        #expect((trigger.disposals.value, other.disposals.value) == (0, 1))
        input.sendError(.first)
        expect(trigger.disposals.value, is: 1)
        expect(log.all, is: ["1", "1", "error first"])
        expect(paired.all, is: ["(1, 7)", "(1, 8)"])
        other.release()
    }

    @Test("has the operator's name")
    func name() {
        let ticks = SignalProducer<Int, Never>.never
        expect(Numbers.never.sample(on: ticks).name, is: "[never] -sample(on:)")
        expect(Numbers.never.sample(with: ticks).name, is: "[never] -sample(with:)")
    }
}

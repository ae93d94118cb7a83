import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(until:) of producers")
struct SkipUntilTests {
    private func skipped(_ script: String) -> [String] {
        played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in a.skip(until: b) }
    }

    @Test("drops values until the trigger sends or completes, separately for each start")
    func skips() {
        expect(skipped("a1 b1 a2 a3 b2 a4"), is: ["2", "3", "4"])
        expect(skipped("a1 b| a2 a3"), is: ["2", "3"])
    }

    @Test("forwards the end of its source, before and after the trigger fires")
    func ends() {
        expect(skipped("a1 a|"), is: ["completed"])
        expect(skipped("a1 aX"), is: ["error first"])
        expect(skipped("a1 a!"), is: ["interrupted"])
        expect(skipped("b1 a1 a|"), is: ["1", "completed"])
        expect(skipped("b1 a1 aX"), is: ["1", "error first"])
        expect(skipped("b1 a1 a!"), is: ["1", "interrupted"])
    }

    @Test("forwards no value when the trigger is interrupted before it fires")
    func interrupted() {
        expect(skipped("a1 b! a2 a|"), is: ["completed"])
        let ended = Signal<Int, Never>.empty
        expect(Numbers([1, 2]).skip(until: ended).logged().all, is: ["completed"])
    }

    @Test("starts the trigger first, so that a synchronous trigger drops no value")
    func order() {
        expect(Numbers([1, 2]).skip(until: SignalProducer(value: 7)).logged().all, is: ["1", "2", "completed"])
        expect(
            Numbers([1, 2]).skip(until: SignalProducer<Int, Never>.empty).logged().all, is: ["1", "2", "completed"])
        let asked = Counter()
        let first = Numbers(CountedNumbers(asked)).skip(until: SignalProducer(value: 7)).take(first: 2)
        expect(first.logged().all, is: ["0", "1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("cancels the trigger's work once it has fired")
    func fired() {
        let (manual, trigger) = (Manual(), Trigger())
        let log = manual.producer.skip(until: trigger.producer).logged()
        trigger.input?.sendNext(1)
        #expect((manual.disposals.value, trigger.disposals.value) == (0, 1))
        manual.input?.sendNext(1)
        manual.input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])
        let asked = Counter()
        let endless = SignalProducer<Int, Never>(CountedNumbers(asked))
        expect(Numbers(value: 1).skip(until: endless).logged().all, is: ["1", "completed"])
        expect(asked.value, is: 1)
    }

    @Test("accepts a signal as the trigger")
    func signal() {
        let (trigger, input) = Signal<String, Never>.pipe()
        let manual = Manual()
        let log = manual.producer.skip(until: trigger).logged()
        manual.input?.sendNext(1)
        input.sendNext("now")
        manual.input?.sendNext(2)
        manual.input?.sendCompleted()
        expect(log.all, is: ["2", "completed"])
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.skip(until: SignalProducer(value: 1)).name, is: "[never] -skip(until:)") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("collect(until:) of producers")
struct CollectUntilTests {
    private func collected(_ script: String) -> [String] {
        played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in a.collect(until: b) }
    }

    @Test("sends the collected values at each trigger value and on completion, separately for each start")
    func collects() {
        expect(collected("a1 a2 b1 b2 a3 a|"), is: ["[1, 2]", "[]", "[3]", "completed"])
        expect(collected("a1 b1 a|"), is: ["[1]", "completed"])
        expect(collected("a1 b| a2 a|"), is: ["[1, 2]", "completed"])
        expect(collected("a1 b! a2 a|"), is: ["[1, 2]", "completed"])
        expect(collected("a1 aX"), is: ["error first"])
        expect(collected("a1 a!"), is: ["interrupted"])
    }

    @Test("starts the trigger's work first, and accepts a signal")
    func order() {
        let log = Numbers([1, 2]).collect(until: SignalProducer<Int, Never>([7, 8])).logged()
        expect(log.all, is: ["[]", "[]", "[1, 2]", "completed"])
        let (trigger, tick) = Signal<Int, Never>.pipe()
        let hot = Manual()
        let other = hot.producer.collect(until: trigger).logged()
        hot.input?.sendNext(1)
        tick.sendNext(0)
        expect(other.all, is: ["[1]"])
        hot.release()
    }

    @Test("stops an endless trigger when the result ends")
    func endless() {
        let asked = Counter()
        let ticks = SignalProducer<Int, Never>(CountedNumbers(asked))
        expect(Numbers.never.collect(until: ticks).take(first: 2).logged().all, is: ["[]", "[]", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("has the operator's name")
    func name() {
        let ticks = SignalProducer<Int, Never>.never
        expect(Numbers.never.collect(until: ticks).name, is: "[never] -collect(until:)")
    }
}

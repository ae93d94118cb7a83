import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(until:) of producers")
struct TakeUntilTests {
    private func taken(_ script: String) -> [String] {
        played(script) { (a: Numbers, b: SignalProducer<Int, Never>) in a.take(until: b) }
    }

    @Test("forwards values until the trigger sends or completes, then completes, separately for each start")
    func takes() {
        expect(taken("a1 a2"), is: ["1", "2"])
        expect(taken("a1 b1 a2"), is: ["1", "completed"])
        expect(taken("a1 b| a2"), is: ["1", "completed"])
    }

    @Test("forwards the end of its source, and cancels the trigger's work with it")
    func ends() {
        expect(taken("a1 a|"), is: ["1", "completed"])
        expect(taken("aX"), is: ["error first"])
        expect(taken("a1 a!"), is: ["1", "interrupted"])
    }

    @Test("ignores a trigger that is interrupted, or that has already ended")
    func interrupted() {
        expect(taken("a1 b! a2 aX"), is: ["1", "2", "error first"])
        expect(Numbers([1, 2]).take(until: Signal<Int, Never>.empty).logged().all, is: ["1", "2", "completed"])
    }

    @Test("starts the trigger first, and does not begin its own work if the trigger fires immediately")
    func order() {
        let (manual, asked) = (Manual(), Counter())
        for trigger in [SignalProducer(value: 7), .empty, SignalProducer<Int, Never>(CountedNumbers(asked))] {
            expect(manual.producer.take(until: trigger).logged().all, is: ["completed"])
        }
        expect(manual.starts.value, is: 0)
        expect(asked.value, is: 1, "the trigger is endless")
    }

    @Test("stops an endless source when the trigger fires during a delivery")
    func endless() {
        let (trigger, asked) = (Trigger(), Counter())
        let log = Log<String>()
        Numbers(CountedNumbers(asked)).take(until: trigger.producer).start { event in
            log.append(event.text)
            if event.value == 2 { trigger.input?.sendCompleted() }
        }
        expect(log.all, is: ["0", "1", "2", "completed"])
        expect(asked.value, is: 3)
        expect(trigger.disposals.value, is: 1)
    }

    @Test("accepts a signal as the trigger")
    func signal() {
        let (trigger, input) = Signal<String, Never>.pipe()
        let source = ManualSource<TestError>()
        let producer = source.producer.take(until: trigger)
        let logs = (0..<2).map { _ in producer.logged() }
        for input in source.inputs.all { input.sendNext(1) }
        input.sendNext("now")
        for log in logs { expect(log.all, is: ["1", "completed"]) }
        expect(Set(source.ended.all), is: [0, 1])
        source.inputs.removeAll()
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.take(until: SignalProducer(value: 1)).name, is: "[never] -take(until:)") }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(untilReplacement:) of producers")
struct TakeUntilReplacementTests {
    private func taken(_ script: String) -> [String] {
        played(script) { (a: Numbers, b: Numbers) in a.take(untilReplacement: b) }
    }

    @Test("forwards values until the replacement sends, then only the replacement's, separately for each start")
    func takes() {
        expect(taken("a1 b2 a3 b4 b|"), is: ["1", "2", "4", "completed"])
        expect(taken("a1 b2 aX b3 bX"), is: ["1", "2", "3", "error first"])
        expect(taken("a1 b2 a| b!"), is: ["1", "2", "interrupted"])
    }

    @Test("ends with the replacement's terminal event")
    func replaced() {
        expect(taken("a1 b|"), is: ["1", "completed"])
        expect(taken("a1 bX"), is: ["1", "error first"])
        expect(taken("a1 b!"), is: ["1", "interrupted"])
    }

    @Test("forwards an earlier error or interruption, but waits for the replacement after a completion")
    func ends() {
        expect(taken("a1 aX"), is: ["1", "error first"])
        expect(taken("a!"), is: ["interrupted"])
        expect(taken("a1 a|"), is: ["1"])
        expect(taken("a1 a| b2 b|"), is: ["1", "2", "completed"])
    }

    @Test("cancels the work when it is replaced")
    func cancels() {
        let (manual, replacement) = (Manual(), Manual())
        let (log, disposable) = manual.producer.take(untilReplacement: replacement.producer).startLogged()
        manual.input?.sendNext(1)
        replacement.input?.sendNext(2)
        #expect((manual.disposals.value, replacement.disposals.value) == (1, 0))
        disposable.dispose()
        replacement.input?.sendNext(3)
        expect(log.all, is: ["1", "2", "interrupted"])
        expect(replacement.disposals.value, is: 1)
    }

    @Test("starts the replacement first, and does not begin its own work if the replacement sends immediately")
    func order() {
        let manual = Manual()
        let producer = manual.producer.take(untilReplacement: Numbers([1, 2]))
        for _ in 0..<2 { expect(producer.logged().all, is: ["1", "2", "completed"]) }
        expect(manual.starts.value, is: 0)
    }

    @Test("stops an endless source when it is replaced during a delivery")
    func endless() {
        let (replacement, asked) = (Manual(), Counter())
        let log = Log<String>()
        Numbers(CountedNumbers(asked)).take(untilReplacement: replacement.producer).start { event in
            log.append(event.text)
            if event.value == 2 { replacement.input?.sendNext(100) }
        }
        expect(log.all, is: ["0", "1", "2", "100"])
        expect(asked.value, is: 3)
        replacement.input?.sendCompleted()
        expect(log.all.last, is: "completed")
    }

    @Test("accepts a signal as the replacement")
    func signal() {
        let (replacement, input) = Signal<Int, TestError>.pipe()
        let log = Numbers([1, 2]).take(untilReplacement: replacement).logged()
        input.sendNext(3)
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "completed"])
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.take(untilReplacement: Numbers.never).name, is: "[never] -take(untilReplacement:)")
    }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("promoteError(_:) of producers")
struct PromoteErrorTests {
    @Test("gives a producer that cannot fail an error type, inferred or named")
    func promotes() {
        let safe = SignalProducer([1, 2])
        let numbers: Numbers = safe.promoteError()
        expect(numbers.logged().all, is: ["1", "2", "completed"])
        #expect(type(of: safe.promoteError(TestError.self)) == Numbers.self)
        expect(numbers.concat(error: .first).logged().all, is: ["1", "2", "error first"])
        expect(numbers.name, is: "[values] -promoteError")
    }

    @Test("returns the producer itself if it already has the error type")
    func identity() {
        expect(Numbers.never.promoteError(TestError.self).name, is: "never")
        #expect(SignalProducer<Int, Never>.never.promoteError(Never.self).name == "never")
        expect(Numbers(error: .first).promoteError(TestError.self).logged().all, is: ["error first"])
    }

    @Test("forwards the end, and interrupts on disposal, then disposes of the source")
    func ends() {
        for terminal in [Event<Int, Never>.completed, .interrupted] {
            let trigger = Trigger()
            let producer: Numbers = trigger.producer.promoteError()
            let log = producer.logged()
            let input = trigger.input
            let other = producer.startLogged()
            input?.sendNext(1)
            input?.send(terminal)
            expect(log.all, is: ["1", terminal.text])
            expect(trigger.disposals.value, is: 1)
            other.disposable.dispose()
            trigger.input?.sendNext(2)
            expect(other.log.all, is: ["interrupted"])
            expect(trigger.disposals.value, is: 2)
            trigger.release()
        }
    }

    @Test("requests no more from an endless source than is needed")
    func endless() {
        let asked = Counter()
        let numbers: Numbers = SignalProducer<Int, Never>(CountedNumbers(asked)).promoteError()
        expect(numbers.take(first: 2).logged().all, is: ["0", "1", "completed"])
        expect(asked.value, is: 2)
    }
}

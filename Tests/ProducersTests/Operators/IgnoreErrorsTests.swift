import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("ignoreErrors(complete:) of producers")
struct IgnoreErrorsTests {
    @Test("completes, or interrupts, in place of an error, and forwards every other event")
    func ends() {
        let failing = Numbers(value: 1).concat(error: .first)
        expect(failing.ignoreErrors().logged().all, is: ["1", "completed"])
        expect(failing.ignoreErrors(complete: true).logged().all, is: ["1", "completed"])
        expect(failing.ignoreErrors(complete: false).logged().all, is: ["1", "interrupted"])
        for terminal in [Event<Int, TestError>.completed, .interrupted] {
            for completes in [true, false] {
                let producer: SignalProducer<Int, Never> = ending(with: terminal).ignoreErrors(complete: completes)
                expect(producer.logged().all, is: [terminal.text])
            }
        }
    }

    @Test("lets `then` start its producer after an error only if it completes")
    func following() {
        let failing = Numbers(error: .first)
        expect(failing.ignoreErrors().then(SignalProducer<Int, Never>(value: 9)).logged().all, is: ["9", "completed"])
        let stopped = failing.ignoreErrors(complete: false).then(SignalProducer<Int, Never>(value: 9))
        expect(stopped.logged().all, is: ["interrupted"])
    }

    @Test("cancels the work of the failed start only")
    func fails() {
        let manual = Manual()
        let producer = manual.producer.ignoreErrors()
        let failing = producer.logged()
        let input = manual.input
        let other = producer.startLogged()
        input?.sendError(.first)
        expect(failing.all, is: ["completed"])
        expect(manual.disposals.value, is: 1)
        manual.input?.sendNext(1)
        other.disposable.dispose()
        expect(other.log.all, is: ["1", "interrupted"])
        manual.release()
    }

    @Test("holds nothing once it has ended")
    func releases() { expectReleases { source, member in source.map { member.through($0) }.ignoreErrors() } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.ignoreErrors().name, is: "[never] -ignoreErrors") }
}

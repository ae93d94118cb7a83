import ReactiveSignals
import TestSupport
import Testing

@Suite("materialize")
struct MaterializeTests {
    private func results(ending event: Event<Int, TestError>) -> [String] {
        let (source, input) = Source.pipe()
        let log = source.materialize().logged()
        input.sendNext(1)
        input.send(event)
        input.sendNext(2)
        return log.all
    }

    @Test("sends a completion as a value, then completes")
    func completed() { expect(results(ending: .completed), is: ["NEXT 1", "COMPLETED", "completed"]) }

    @Test("sends an error as a value, then completes")
    func error() { expect(results(ending: .error(.first)), is: ["NEXT 1", "ERROR first", "completed"]) }

    @Test("sends an interruption as a value, then interrupts")
    func interrupted() { expect(results(ending: .interrupted), is: ["NEXT 1", "INTERRUPTED", "interrupted"]) }

    @Test("interrupts its observers if the source has already ended")
    func ended() { expect(Source.empty.materialize().logged().all, is: ["interrupted"]) }
}

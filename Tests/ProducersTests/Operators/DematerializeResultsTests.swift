import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("dematerializeResults of producers")
struct DematerializeResultsTests {
    private typealias Results = SignalProducer<Result<Int, TestError>, Never>

    @Test("sends the successes of the results, and the first failure as the error")
    func results() {
        let numbers: Numbers = Results([.success(1), .failure(.second), .success(3)]).dematerializeResults()
        expect(numbers.logged().all, is: ["1", "error second"])
        expect(Results([.success(1), .success(2)]).dematerializeResults().logged().all, is: ["1", "2", "completed"])
        expect(Results.interrupted.dematerializeResults().logged().all, is: ["interrupted"])
    }

    @Test("cancels the work at a failure, and computes no further result")
    func stops() {
        let trigger = Trigger()
        let result: @Sendable (Int) -> Result<Int, TestError> = { $0 == 2 ? .failure(.first) : .success($0) }
        let log = trigger.producer.map(result).dematerializeResults().logged()
        trigger.input?.sendNext(1)
        expect(trigger.disposals.value, is: 0)
        trigger.input?.sendNext(2)
        expect(trigger.disposals.value, is: 1)
        expect(log.all, is: ["1", "error first"])
        let asked = Counter()
        let numbers = SignalProducer<Int, Never>(CountedNumbers(asked)).map(result)
        expect(numbers.dematerializeResults().logged().all, is: ["0", "1", "error first"])
        expect(asked.value, is: 3)
    }

    @Test("reverses materializeResults, separately for each start")
    func follows() { expectFollows { $0.materializeResults().dematerializeResults() } }

    @Test("has the operator's name")
    func name() {
        let numbers: Numbers = Results.never.dematerializeResults()
        expect(numbers.name, is: "[never] -dematerializeResults")
    }
}

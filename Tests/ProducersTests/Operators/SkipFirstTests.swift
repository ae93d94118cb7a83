import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(first:) of producers")
struct SkipFirstTests {
    @Test("drops the first values, and forwards the rest", arguments: 0...4)
    func skips(count: Int) {
        let left = (1...3).dropFirst(count).map(String.init)
        expect(Numbers(1...3).skip(first: count).logged().all, is: left + ["completed"])
    }

    @Test("counts separately for each start")
    func perStart() {
        let manual = Manual()
        let producer = manual.producer.skip(first: 2)
        let logs = (0..<2).map { _ in
            let log = producer.logged()
            for value in 1...3 { manual.input?.sendNext(value) }
            manual.input?.sendError(.first)
            return log
        }
        for log in logs { expect(log.all, is: ["3", "error first"]) }
        let asked = Counter()
        let numbers = Numbers(CountedNumbers(asked)).skip(first: 2).take(first: 2)
        expect(numbers.logged().all, is: ["2", "3", "completed"])
        expect(asked.value, is: 4)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows { $0.skip(first: 0) }
        expectFollows(values: []) { $0.skip(first: 1) }
    }

    @Test("has the operator's name") func name() { expect(Numbers.never.skip(first: 2).name, is: "[never] -skip: 2") }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.skip(first: -1)
        }
        result.expectTrap("skip(first: -1)")
    }
}

import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("slidingWindow(_:) of producers")
struct SlidingWindowTests {
    @Test("sends the last `count` values with each value, once there are that many", arguments: 1...4)
    func slides(count: Int) {
        let producer = Numbers(1...3).slidingWindow(count)
        let windows = (1...3).filter { $0 >= count }.map { "\(Array(($0 - count + 1)...$0))" }
        for _ in 0..<2 { expect(producer.logged().all, is: windows + ["completed"]) }
    }

    @Test("requests no more from an endless source than is needed")
    func stops() {
        let asked = Counter()
        let log = Numbers(CountedNumbers(asked)).slidingWindow(2).take(first: 2).logged()
        expect(log.all, is: ["[0, 1]", "[1, 2]", "completed"])
        expect(asked.value, is: 3)
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["[1]"]) { $0.slidingWindow(1) }
        expectFollows(values: []) { $0.slidingWindow(2) }
    }

    @Test("holds no value once it has ended")
    func releases() {
        expectReleases { source, member in source.prefix(value: 1).map { _ in member }.slidingWindow(2) }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.slidingWindow(2).name, is: "[never] -slidingWindow: 2") }

    @Test("traps unless the count is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.slidingWindow(0)
        }
        result.expectTrap("slidingWindow(0)")
    }
}

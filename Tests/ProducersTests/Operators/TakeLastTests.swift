import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(last:) of producers")
struct TakeLastTests {
    @Test("sends the last values on completion", arguments: 0...4)
    func takes(count: Int) {
        let producer = Numbers(1...3).take(last: count)
        for _ in 0..<2 {
            #expect(producer.logged().all == (1...3).suffix(count).map(String.init) + ["completed"])
        }
    }

    @Test("still does the work when the count is zero")
    func zero() {
        let manual = Manual()
        let log = manual.producer.take(last: 0).logged()
        manual.input?.sendNext(1)
        #expect(log.all.isEmpty)
        manual.input?.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("sends no further value when the result ends or is disposed of during the last values")
    func inside() {
        expect(Numbers(1...3).take(last: 3).take(first: 2).logged().all, is: ["1", "2", "completed"])
        let log = Log<String>()
        Numbers(1...3).take(last: 3).startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 2 { disposable.dispose() }
        }
        expect(log.all, is: ["1", "2", "interrupted"])
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: [], flushed: ["1"]) { $0.take(last: 2) }
        expectFollows(values: []) { $0.take(last: 0) }
    }

    @Test("holds no value once it has ended")
    func releases() { expectReleases { source, member in source.prefix(value: 1).map { _ in member }.take(last: 2) } }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.take(last: 2).name, is: "[never] -take(last: 2)") }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.take(last: -1)
        }
        result.expectTrap("take(last: -1)")
    }
}

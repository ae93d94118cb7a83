import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("take(first:) of producers")
struct TakeFirstTests {
    @Test("sends the first values, then completes and requests no more from an endless source", arguments: 1...3)
    func takes(count: Int) {
        let asked = Counter()
        let producer = Numbers(CountedNumbers(asked)).take(first: count)
        for round in 1...2 {
            #expect(producer.logged().all == (0..<count).map(String.init) + ["completed"])
            expect(asked.value, is: round * count)
        }
    }

    @Test("completes without beginning the work when the count is zero")
    func zero() {
        let manual = Manual()
        let none = manual.producer.take(first: 0)
        for _ in 0..<2 { expect(none.logged().all, is: ["completed"]) }
        expect(manual.starts.value, is: 0)
        expect(none.name, is: "[producer] -take: 0")
    }

    @Test("completes and cancels the work with the last value, and drops a re-entrant value")
    func cancels() {
        let manual = Manual()
        let log = Log<String>()
        manual.producer.take(first: 2).start { event in
            log.append("\(event.text), \(manual.disposals.value)")
            if event.value == 2 { manual.input?.sendNext(3) }
        }
        manual.input?.sendNext(1)
        manual.input?.sendNext(2)
        expect(log.all, is: ["1, 0", "2, 0", "completed, 0"])
        expect(manual.disposals.value, is: 1)
    }

    @Test("counts separately for each start")
    func perStart() {
        let manual = Manual()
        let producer = manual.producer.take(first: 2)
        let first = producer.logged()
        let firstInput = manual.input
        firstInput?.sendNext(1)
        let second = producer.logged()
        manual.input?.sendNext(2)
        firstInput?.sendNext(3)
        expect(first.all, is: ["1", "3", "completed"])
        manual.input?.sendNext(4)
        expect(second.all, is: ["2", "4", "completed"])
    }

    @Test("forwards an earlier terminal event, and completes if one arrives with the last value", arguments: terminals)
    func earlier(terminal: Event<Int, TestError>) {
        let source = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }
        expect(source.take(first: 2).logged().all, is: ["1", terminal.text])
        expect(source.take(first: 1).logged().all, is: ["1", "completed"])
    }

    @Test("follows its source, separately for each start") func follows() { expectFollows { $0.take(first: 2) } }

    @Test("has the operator's name") func name() { expect(Numbers.never.take(first: 2).name, is: "[never] -take: 2") }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.take(first: -1)
        }
        result.expectTrap("take(first: -1)")
    }
}

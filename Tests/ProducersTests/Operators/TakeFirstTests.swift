import ReactiveSignals
import TestSupport
import Testing

@Suite("take(first:) of producers")
struct TakeFirstTests {
    @Test("sends that many values, then completes and asks an endless source for no more", arguments: 1...3)
    func takes(count: Int) {
        let asked = Counter()
        let producer = Numbers(CountedNumbers(asked)).take(first: count)
        for round in 1...2 {
            #expect(producer.logged().all == (0..<count).map(String.init) + ["completed"])
            expect(asked.value, is: round * count)
        }
    }

    @Test("with a count of zero completes without beginning the work")
    func zero() {
        let manual = Manual()
        let none = manual.producer.take(first: 0)
        for _ in 0..<2 { expect(none.logged().all, is: ["completed"]) }
        expect(manual.starts.value, is: 0)
        expect(none.name, is: "[producer] -take: 0")
    }

    @Test("cancels the work within the delivery of the last value, and lets no further one through")
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

    @Test("counts anew for each start")
    func anew() {
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

    @Test("an end that comes earlier passes on; the same when it comes with the last value", arguments: terminals)
    func earlier(terminal: Event<Int, TestError>) {
        let source = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }
        expect(source.take(first: 2).logged().all, is: ["1", terminal.text])
        expect(source.take(first: 1).logged().all, is: ["1", "completed"])
    }

    @Test("follows its source, each start on its own") func follows() { expectFollows { $0.take(first: 2) } }

    @Test("is called so") func name() { expect(Numbers.never.take(first: 2).name, is: "[never] -take: 2") }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.take(first: -1)
        }
        result.expectTrap("take(first: -1)")
    }
}

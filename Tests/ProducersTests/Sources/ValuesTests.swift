import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("Producers of values")
struct ValuesTests {
    @Test("send their values at each start, and complete")
    func events() {
        let producers: [(Numbers, [String])] = [
            (Numbers(value: 1), ["1", "completed"]), (Numbers([1, 2, 3]), ["1", "2", "3", "completed"]),
            (Numbers([Int]()), ["completed"]), (Numbers(values: 1, 2), ["1", "2", "completed"]),
            (Numbers(values: 1, 2, 3), ["1", "2", "3", "completed"]), (Numbers(error: .second), ["error second"]),
            (Numbers(result: .success(4)), ["4", "completed"]), (Numbers(result: .failure(.first)), ["error first"]),
            (.empty, ["completed"]), (.interrupted, ["interrupted"]),
        ]
        for (producer, expected) in producers {
            for _ in 0..<2 {
                expect(producer.logged().all, is: expected)
                expect(producer.map { $0 }.logged().all, is: expected)
                expect(producer.startWithSignal { signal, _ in signal.logged() }.all, is: expected)
            }
        }
    }

    @Test("infer that they cannot fail")
    func inference() {
        let value = SignalProducer(value: 1)
        let values = SignalProducer(1...2)
        let several = SignalProducer(values: 1, 2)
        let producers: [SignalProducer<Int, Never>] = [value, values, several]
        expect(producers.map { $0.logged().count }, is: [2, 3, 3])
        let optional = SignalProducer<Int?, Never>(value: nil)
        expect(optional.logged().all, is: ["nil", "completed"])
    }

    @Test("never sends nothing until it is disposed of")
    func never() {
        let start = Numbers.never.startLogged()
        #expect(start.log.all.isEmpty)
        #expect(!start.disposable.isDisposed)
        start.disposable.dispose()
        expect(start.log.all, is: ["interrupted"])
        expectReleasesNever()
    }

    private func expectReleasesNever() {
        let population = Population()
        let disposable = {
            let member = population.member()
            return Numbers.never.start { _ in member.touch() }
        }()
        expect(population.alive, is: 1)
        disposable.dispose()
        expect(population.alive, is: 0)
    }

    @Test("a sequence is iterated separately for each start")
    func iterates() {
        let numbers = Endless()
        let producer = Numbers(numbers).take(first: 2)
        expect(numbers.computed.value, is: 0)
        for round in 1...3 {
            expect(producer.logged().all, is: ["1", "2", "completed"])
            expect(numbers.computed.value, is: 2 * round)
        }
    }

    @Test("an endless sequence stops before an element that is not needed") func stops() { expectStops { $0 } }

    @Test("an endless sequence stops at the value during whose delivery it is disposed of")
    func disposal() {
        let numbers = Endless()
        let log = Log<String>()
        Numbers(numbers).map { $0 }.on(disposed: { log.append("disposed") }).startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 2 { disposable.dispose() }
        }
        expect(log.all, is: ["1", "2", "interrupted", "disposed"])
        expect(numbers.computed.value, is: 2)
    }

    @Test("a disposal during the last value interrupts the start")
    func lastValue() {
        for producer in [Numbers(value: 1), Numbers([1]), Numbers(value: 1).map { $0 }] {
            let log = Log<String>()
            producer.startDisposably { event, disposable in
                log.append(event.text)
                disposable.dispose()
            }
            expect(log.all, is: ["1", "interrupted"])
        }
    }

    @Test("a sequence's elements are held one at a time")
    func memory() {
        let population = Population()
        let most = Locked(0)
        let members = (0..<100).lazy.map { _ in population.member() }
        SignalProducer<Population.Member, Never>(UncheckedSequence(members)).start { _ in
            most.withLock { $0 = max($0, population.alive) }
        }
        #expect(most.withLock { $0 } <= 2)
        expect(population.alive, is: 0)
    }
}

/// A sequence whose closure is known to be safe in this test.
private struct UncheckedSequence<Base: Sequence>: Sequence, @unchecked Sendable {
    // Sendable: the test iterates it on one thread.
    private let base: Base

    init(_ base: Base) { self.base = base }

    func makeIterator() -> Base.Iterator { base.makeIterator() }
}

import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("concat of producers")
struct ConcatProducerTests {
    @Test("sends the events of one producer after another")
    func order() {
        let (first, second) = (Manual(), Manual())
        let log = first.producer.concat(second.producer).logged()
        first.input?.sendNext(1)
        expect(second.starts.value, is: 0)
        first.input?.sendCompleted()
        #expect((first.disposals.value, second.starts.value) == (1, 1))
        second.input?.sendNext(2)
        second.input?.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
        expect(Numbers([1, 2]).concat(Numbers([3])).logged().all, is: ["1", "2", "3", "completed"])
        expect(
            Numbers.concat([Numbers([1]), .empty, Numbers([2, 3])]).logged().all, is: ["1", "2", "3", "completed"])
        expect(Numbers.concat(Numbers([1]), Numbers([2])).logged().all, is: ["1", "2", "completed"])
    }

    @Test("fails with the first error, and starts no further producer")
    func error() {
        let other = Manual()
        expect(Numbers(error: .first).concat(other.producer).logged().all, is: ["error first"])
        expect(
            Numbers.concat([Numbers(value: 1), Numbers(error: .second), other.producer]).logged().all,
            is: [
                "1", "error second",
            ])
        expect(Numbers(value: 1).concat(Numbers(error: .second)).logged().all, is: ["1", "error second"])
        expect(other.starts.value, is: 0)
    }

    @Test("treats an interruption as completion")
    func interruption() {
        let interrupted = ending(with: .interrupted)
        expect(interrupted.concat(Numbers(value: 1)).logged().all, is: ["1", "completed"])
        expect(Numbers(value: 1).concat(interrupted).logged().all, is: ["1", "completed"])
        expect(Numbers.concat([interrupted, Numbers(value: 1), interrupted]).logged().all, is: ["1", "completed"])
    }

    @Test("completes immediately without producers")
    func none() {
        expect(Numbers.concat([Numbers]()).logged().all, is: ["completed"])
        expect(Numbers.concat().logged().all, is: ["completed"])
    }

    @Test("accepts a signal, which it observes when its turn comes")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let manual = Manual()
        let log = manual.producer.concat(signal).logged()
        input.sendNext(1)
        manual.input?.sendCompleted()
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
        expect(Numbers.concat([signal, signal]).logged().all, is: ["completed"])
    }

    @Test("begins with the first producer in each start")
    func perStart() {
        let starts = Counter()
        let counting = Numbers.deferred { Numbers(value: starts.increment()) }
        for start in 0..<2 {
            expect(counting.concat(counting).logged().all, is: ["\(2 * start + 1)", "\(2 * start + 2)", "completed"])
        }
    }

    @Test("requests a producer from a sequence when its turn comes, and none that is not needed")
    func lazily() {
        for isPlain in [true, false] {
            let numbers = Endless()
            let producers = Producers(numbers: numbers) { isPlain ? Numbers(value: $0) : Numbers([$0]) }
            expect(Numbers.concat(producers).take(first: 3).logged().all, is: ["1", "2", "3", "completed"])
            expect(numbers.computed.value, is: 3, "\(isPlain ? "one value" : "a sequence")")
        }
    }

    @Test("runs any number of synchronous producers in constant stack and memory", .notUnderSanitizers)
    func iterative() {
        onSmallStack("concat") {
            for isPlain in [true, false] {
                let population = Population()
                let most = Locked(0)
                let count = Counter()
                let producers = (0..<manyLevels).lazy.map { number in
                    let member = population.member()
                    return isPlain
                        ? SignalProducer<Population.Member, Never>(value: member)
                        : SignalProducer { observer, _ in
                            observer.sendNext(member)
                            observer.sendCompleted()
                        }
                }
                SignalProducer<Population.Member, Never>.concat(Unchecked(producers)).start { event in
                    most.withLock { $0 = max($0, population.alive) }
                    count.increment()
                }
                expect(count.value, is: manyLevels + 1)
                #expect(most.withLock { $0 } <= 3)
                expect(population.alive, is: 0)
            }
        }
    }

    @Test("releases a long list of producers on a small stack", .notUnderSanitizers)
    func released() {
        onSmallStack("list") {
            let count = Counter()
            Numbers.concat(Array(repeating: Numbers.empty, count: manyLevels)).start { _ in count.increment() }
            expect(count.value, is: 1)
        }
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() {
        expectInterrupts { $0.concat(Numbers(value: 9)) }
        expectInterrupts { Numbers.empty.concat($0) }
        expectInterrupts { Numbers.concat([.empty, $0, .never]) }
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        expectDoesNotBegin { $0.concat($0) }
        expectDoesNotBegin { Numbers.concat([$0]) }
    }

    @Test("stops an endless synchronous source")
    func stops() {
        expectStops { $0.concat($0) }
        expectStops { Numbers.concat([.empty, $0, $0]) }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.concat(Numbers.empty.on(completed: { member.touch() })) }
        expectReleases { source, member in Numbers.concat([source, Numbers.empty.on(completed: { member.touch() })]) }
    }
}

/// A sequence that creates its producers on demand.
private struct Producers: Sequence, Sendable {
    let numbers: Endless
    let make: @Sendable (Int) -> Numbers

    func makeIterator() -> some IteratorProtocol<Numbers> { numbers.lazy.map(make).makeIterator() }
}

/// A sequence whose closure is known to be safe in this test.
private struct Unchecked<Base: Sequence>: Sequence, @unchecked Sendable {
    // Sendable: the test iterates it on one thread.
    private let base: Base

    init(_ base: Base) { self.base = base }

    func makeIterator() -> Base.Iterator { base.makeIterator() }
}

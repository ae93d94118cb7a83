import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// What an operator stores must be free when its start has ended, before another start begins.
@Suite("The state of operators")
struct OperatorStateTests {
    @Test("zip has released what waits when the next round begins")
    func zip() {
        let population = Population()
        let log = Log<Int>()
        let (ends, input) = Signal<Int, Never>.pipe()
        let members = SignalProducer<Population.Member, Never> { observer, lifetime in
            log.append(population.alive)
            for _ in 1...3 { observer.sendNext(population.member()) }
            lifetime.observeEnded { _ = observer }
        }
        // The second round begins while the end of the first is being delivered.
        members.zip(with: SignalProducer(ends)).repeat(2).start()
        input.sendNext(1)
        expect(log.all, is: [0])
        input.sendCompleted()
        expect(log.all, is: [0, 0])
    }

    @Test("combineLatest has released the latest values when the next attempt begins")
    func combineLatest() {
        let population = Population()
        let log = Log<Int>()
        let (ends, input) = Signal<Int, TestError>.pipe()
        let members = SignalProducer<Population.Member, TestError> { observer, lifetime in
            log.append(population.alive)
            observer.sendNext(population.member())
            lifetime.observeEnded { _ = observer }
        }
        members.combineLatest(with: SignalProducer(ends)).retry(upTo: 1).start()
        input.sendNext(1)
        input.sendError(.first)
        expect(log.all, is: [0, 0])
    }

    @Test("mapAsync has cancelled the tasks of an attempt when the next one begins")
    func mapAsync() async {
        let log = Log<String>()
        let attempts = Counter()
        let source = SignalProducer<Int, TestError> { observer, _ in
            attempts.increment()
            log.append("begin")
            observer.sendNext(1)
            observer.sendNext(2)
            observer.sendCompleted()
        }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let values = await source.mapAsync(maxConcurrent: 2) { value throws(TestError) in
            if attempts.value > 1 { return value }
            if value == 1 {
                let (never, end) = AsyncStream<Void>.makeStream()
                end.onTermination = { _ in log.append("cancelled") }
                begin.yield()
                for await _ in never {}
            } else {
                for await _ in begun { break }
            }
            throw .first
        }
        .retry(upTo: 1).events(buffering: .unbounded).reduce(into: [Int]()) {
            if let value = $1.value { $0.append(value) }
        }
        expect(values, is: [1, 2])
        expect(log.all, is: ["begin", "cancelled", "begin"])
    }
}

import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("buffer(capacity:)")
struct BufferTests {
    @Test("sends each start the buffered values, then new ones", arguments: [0, 1, 2, 5, .max])
    func remembers(capacity: Int) {
        let (producer, input) = Numbers.buffer(capacity: capacity)
        for number in 1...3 { input.sendNext(number) }
        let first = producer.logged()
        input.sendNext(4)
        let second = producer.logged()
        input.sendCompleted()
        input.sendNext(5)
        let third = producer.logged()
        let kept = (1...4).map(String.init)
        expect(first.all, is: kept.dropLast().suffix(min(capacity, 3)) + ["4", "completed"])
        expect(second.all, is: kept.suffix(min(capacity, 4)) + ["completed"])
        expect(third.all, is: second.all)
    }

    @Test("replays its terminal event", arguments: [Event<Int, TestError>.error(.first), .completed, .interrupted])
    func ends(terminal: Event<Int, TestError>) {
        let (producer, input) = Numbers.buffer(capacity: 1)
        let early = producer.logged()
        input.sendNext(1)
        input.send(terminal)
        expect(early.all, is: ["1", terminal.text])
        expect(producer.logged().all, is: ["1", terminal.text])
    }

    @Test("is interrupted when its observer is released")
    func releasedInput() {
        var pair: (producer: Numbers, observer: Signal<Int, TestError>.Observer)? = Numbers.buffer()
        let producer = pair!.producer
        let log = producer.logged()
        pair = nil
        expect(log.all, is: ["interrupted"])
    }

    @Test("queues values that arrive during a replay, so that all starts receive the same order")
    func sendsDuringReplay() {
        let (producer, input) = Numbers.buffer()
        for number in 1...3 { input.sendNext(number) }
        let early = producer.logged()
        let log = Log<String>()
        producer.start { event in
            log.append(event.text)
            if event.value == 1 { input.sendNext(4) }
        }
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "3", "4", "completed"])
        expect(early.all, is: log.all)
    }

    @Test("stops a replay that is disposed of in the middle")
    func disposedDuringReplay() {
        let (producer, input) = Numbers.buffer()
        for number in 1...3 { input.sendNext(number) }
        let log = Log<String>()
        producer.take(first: 2).start { log.append($0.text) }
        expect(log.all, is: ["1", "2", "completed"])
        let other = Log<String>()
        producer.take(while: { $0 < 2 }).start { other.append($0.text) }
        expect(other.all, is: ["1", "completed"])
        input.sendInterrupted()
    }

    @Test("delivers all values in order to every start while threads send and start")
    func threads() {
        let (producer, input) = Numbers.buffer()
        let logs = Log<Log<String>>()
        let sender = TestThread("sender") {
            for number in 0..<2_000 { input.sendNext(number) }
            input.sendCompleted()
        }
        let starters = (0..<2).map { index in
            TestThread("starter \(index)") {
                for _ in 0..<20 { logs.append(producer.logged()) }
            }
        }
        sender.join()
        for starter in starters { starter.join() }
        let expected = (0..<2_000).map(String.init) + ["completed"]
        expect(logs.count, is: 40)
        #expect(logs.all.allSatisfy { $0.all == expected })
    }

    @Test("releases values that leave the buffer")
    func releases() {
        let population = Population()
        let (producer, input) = SignalProducer<Population.Member, Never>.buffer(capacity: 2)
        for _ in 0..<5 { input.sendNext(population.member()) }
        expect(population.alive, is: 2)
        withExtendedLifetime(producer) {}
        input.sendCompleted()
    }

    @Test("traps when the capacity is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.buffer(capacity: -1)
        }
        result.expectTrap("buffer(capacity: -1)")
    }

    @Test("has the source's name") func name() { expect(Numbers.buffer().producer.name, is: "buffer") }
}

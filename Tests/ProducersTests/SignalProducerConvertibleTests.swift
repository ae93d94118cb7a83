import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducerConvertible")
struct SignalProducerConvertibleTests {
    private func events(_ source: some SignalProducerConvertible<Int, TestError>) -> [String] {
        source.producer.logged().all
    }

    @Test("a producer is itself")
    func producer() {
        #expect(events(Numbers([1, 2])) == ["1", "2", "completed"])
        #expect(Numbers.empty.named("x").producer.name == "x")
    }

    @Test("a signal's producer observes it from its start on")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = signal.producer
        input.sendNext(1)
        let log = producer.logged()
        input.sendNext(2)
        input.sendCompleted()
        #expect(log.all == ["2", "completed"])
        #expect(events(signal) == ["interrupted"])
    }

    @Test("a result's producer sends its value or its error")
    func result() {
        #expect(Result<Int, TestError>.success(1).producer.logged().all == ["1", "completed"])
        #expect(Result<Int, TestError>.failure(.second).producer.logged().all == ["error second"])
    }

    @Test("streams of several kinds go together")
    func mixed() {
        let streams: [any SignalProducerConvertible<Int, TestError>] = [
            Numbers(value: 1), Signal<Int, TestError>.empty, Numbers(value: 2),
        ]
        #expect(Numbers.concat(streams.map { $0.producer }).logged().all == ["1", "2", "completed"])
    }
}

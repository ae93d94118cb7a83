import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("values(buffering: .suspending) of producers", .watched)
struct SuspendingPolicyTests {
    private let executor = HandDrivenExecutor()

    /// Takes values when the test says so.
    private final class Consumer: @unchecked Sendable {
        // Sendable: only the thread of the test uses it, and runs its tasks.
        private var iterator: AsyncValues<Int, Never>.Iterator?
        private let executor: HandDrivenExecutor
        private(set) var values: [Int] = []
        private(set) var isOver = false
        private var task: Task<Void, Never>?

        init(_ values: AsyncValues<Int, Never>, _ executor: HandDrivenExecutor) {
            iterator = executor.within { values.makeAsyncIterator() }
            self.executor = executor
            executor.run()
        }

        func take(_ count: Int = 1) {
            for _ in 0..<count {
                task = Task(executorPreference: executor) { [self] in
                    if let value = await iterator?.next() { values.append(value) } else { isOver = true }
                }
                executor.run()
            }
        }

        func cancel() { task?.cancel() }

        func release() {
            task = nil
            iterator = nil
        }
    }

    @Test(
        "asks the source for as many values as it keeps, and for more when half have been taken", arguments: [1, 2, 7])
    func halves(limit: Int) {
        let numbers = ReadyNumbers(100)
        let consumer = Consumer(SignalProducer(numbers).values(buffering: .suspending(limit)), executor)
        expect(numbers.asked.value, is: limit)
        consumer.take(limit - limit / 2)
        expect(numbers.asked.value, is: limit + limit - limit / 2)
        consumer.take(101)
        expect(consumer.values, is: Array(1...100))
        #expect(consumer.isOver)
    }

    @Test("suspends each iterator's start separately, also for events")
    func starts() {
        let numbers = ReadyNumbers(100)
        let values = SignalProducer(numbers).map { $0 }.values(buffering: .suspending(3))
        let consumers = [Consumer(values, executor), Consumer(values, executor)]
        expect(numbers.asked.value, is: 6)
        consumers[0].take(3)
        expect(numbers.asked.value, is: 8)
        do {
            let events = SignalProducer(numbers).events(buffering: .suspending(4))
            let iterator = executor.within { events.makeAsyncIterator() }
            executor.run()
            expect(numbers.asked.value, is: 12)
            withExtendedLifetime(iterator) {}
        }
        // The suspended sources end, so that nothing of them stays.
        for consumer in consumers { consumer.release() }
        executor.run()
    }

    @Test("cancels a suspended source when the consumer goes, which makes no other value", arguments: [false, true])
    func departure(isCancelled: Bool) {
        let population = Population()
        let numbers = ReadyNumbers(100)
        do {
            let member = population.member()
            let producer = SignalProducer(numbers).on(event: { _ in member.touch() })
            let consumer = Consumer(producer.values(buffering: .suspending(2)), executor)
            if isCancelled {
                consumer.cancel()
                consumer.take(0)
            }
            consumer.release()
        }
        executor.run()
        expect(numbers.asked.value, is: 2)
        expect(population.alive, is: 0)
    }

    @Test("traps where the source cannot be suspended")
    func traps() async throws {
        let collection = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer([1, 2]).values(buffering: .suspending(2))
        }
        collection.expectTrap("values(buffering: .suspending(2)): nothing that sends to this stream can be suspended")
        let signal = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.producer.events(buffering: .suspending(2))
        }
        signal.expectTrap("events(buffering: .suspending(2)): nothing that sends to this stream can be suspended")
    }
}

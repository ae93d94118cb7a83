import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("events(buffering:) of producers", .watched)
struct EventsBufferingTests {
    @Test("returns the values, then the terminal event, then nil", arguments: terminals)
    func events(terminal: Event<Int, TestError>) async {
        let producer = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }
        let sequence = producer.events(buffering: .oldest(1))
        for _ in 0..<2 {
            var received: [Event<Int, TestError>] = []
            for await event in sequence { received.append(event) }
            expect(received, is: [.next(1), terminal])
        }
    }

    @Test("ends without a terminal event when the task is cancelled, and interrupts the work")
    func cancellation() {
        let manual = Manual()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        let task = Task(executorPreference: executor) {
            for await event in manual.producer.events(buffering: .unbounded) { log.append(event.text) }
            log.append("over")
        }
        executor.run()
        manual.input?.sendNext(1)
        executor.run()
        task.cancel()
        expect(manual.disposals.value, is: 1)
        executor.run()
        expect(log.all, is: ["1", "over"])
    }

    @Test("traps unless the buffer has room for a value")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.empty.events(buffering: .oldest(0))
        }
        result.expectTrap("events(buffering: .oldest(0))")
    }
}

import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("recordEvents of producers")
struct ProducerRecordEventsTests {
    @Test("stores the last events of all starts, before the observers receive them")
    func starts() {
        let clock = TestScheduler()
        let (producer, history) = Numbers([1, 2]).named("load").recordEvents(last: 4, on: clock)
        expect(producer.name, is: "load")
        expect(history.total, is: 0)
        producer.start { event in
            #expect(history.entries.last?.event.text == event.text)
        }
        clock.advance(by: .seconds(1))
        producer.start()
        expect(history.entries.map(\.event.text), is: ["completed", "1", "2", "completed"])
        expect(history.entries.map { $0.instant.duration(to: clock.now) }, is: [.seconds(1), .zero, .zero, .zero])
        expect(history.total, is: 6)
    }

    @Test("records an error and a disposal, with the continuous clock")
    func ends() {
        let (failing, failures) = Numbers(error: .first).recordEvents(last: 1)
        failing.start()
        expect(failures.entries.map(\.event.text), is: ["error first"])
        let (endless, interruptions) = Numbers.never.recordEvents(last: 1)
        endless.start().dispose()
        expect(interruptions.entries.map(\.event.text), is: ["interrupted"])
    }

    @Test("traps if it should store no event")
    func trap() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.recordEvents(last: -1)
        }
        result.expectTrap("recordEvents(last: -1): the number of events must be positive")
    }
}

@Suite("breakpoint of producers")
struct ProducerBreakpointTests {
    @Test("forwards all events for which no condition is true", arguments: terminals)
    func transparent(terminal: Event<Int, TestError>) {
        let result = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }.breakpoint(next: { _ in false }, error: { _ in false }, completed: { false }, interrupted: { false }).logged()
        expect(result.all, is: ["1", terminal.text])
    }

    @Test("stops at a value and at a disposal")
    func stops() async {
        await #expect(processExitsWith: .signal(5)) {
            SignalProducer<Int, Never>([1, 2]).breakpoint(next: { $0 == 2 })
                .startWithNext { precondition($0 == 1) }
        }
        await #expect(processExitsWith: .signal(5)) {
            SignalProducer<Int, Never>.never.breakpoint(interrupted: { true }).start().dispose()
        }
    }
}

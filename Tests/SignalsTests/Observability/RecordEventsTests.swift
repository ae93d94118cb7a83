import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private let terminals: [Event<Int, TestError>] = [.completed, .error(.first), .interrupted]

@Suite("recordEvents of signals")
struct RecordEventsTests {
    private let clock = TestScheduler()

    @Test("stores the last events and their times, and counts all")
    func last() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let history = signal.recordEvents(last: 3, on: clock)
        expect(history.limit, is: 3)
        expect(history.entries.count, is: 0)
        for value in 1...5 {
            clock.advance(by: .seconds(1))
            input.sendNext(value)
        }
        input.sendCompleted()
        expect(history.entries.map(\.event.text), is: ["4", "5", "completed"])
        expect(
            history.entries.map { $0.instant.duration(to: clock.now) }, is: [.seconds(1), .zero, .zero])
        expect(history.total, is: 6)
        expect(history.description.split(separator: "\n").count, is: 3)
    }

    @Test("uses the continuous clock without a scheduler")
    func clocks() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let history = signal.recordEvents(last: 1)
        let before = ContinuousClock.now
        input.sendNext(1)
        let entry = history.entries[0]
        #expect(entry.instant >= before && entry.instant <= ContinuousClock.now)
        input.sendInterrupted()
        expect(history.entries[0].event.text, is: "interrupted")
    }

    @Test("records until it is released, and retains neither the signal nor what it forgets")
    func memory() {
        final class Retained: Sendable {}

        let (signal, input) = Signal<Retained, TestError>.pipe()
        var history: EventHistory? = signal.recordEvents(last: 1, on: clock)
        weak var first: Retained?
        do {
            let value = Retained()
            first = value
            input.sendNext(value)
        }
        #expect(first != nil)
        input.sendNext(Retained())
        #expect(first == nil)
        expect(signal.core.observerCount, is: 1)
        withExtendedLifetime(history) {}
        history = nil
        expect(signal.core.observerCount, is: 0)
        input.sendInterrupted()
    }

    @Test("loses nothing when several threads send and read")
    func threads() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let history = signal.recordEvents(last: 7)
        let rounds = raceRounds
        onThreads(3, "sending and reading") { index in
            for round in 0..<rounds {
                if index > 0 { input.sendNext(round) }
                if index == 0 {
                    let entries = history.entries
                    guard entries.count <= 7, zip(entries, entries.dropFirst()).allSatisfy({ $0.instant <= $1.instant })
                    else { return #expect(Bool(false), "\(history)") }
                }
            }
        }
        expect(history.total, is: 2 * rounds)
        input.sendInterrupted()
    }

    @Test("traps if it should store no event")
    func trap() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.recordEvents(last: 0)
        }
        result.expectTrap("recordEvents(last: 0): the number of events must be positive")
    }
}

@Suite("breakpoint of signals")
struct BreakpointTests {
    @Test("forwards all events for which no condition is true", arguments: terminals)
    func transparent(terminal: Event<Int, TestError>) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = signal.breakpoint(
            next: { $0 > 5 }, error: { $0 == .second }, completed: { false }, interrupted: { false }
        ).logged()
        input.sendNext(1)
        input.send(terminal)
        expect(log.all, is: ["1", terminal.text])
    }

    @Test("stops at a value, an error, the completion or an interruption")
    func stops() async {
        await #expect(processExitsWith: .signal(5)) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            signal.breakpoint(next: { $0 == 2 }).observe { event in precondition(event.text == "1") }
            input.sendNext(1)
            input.sendNext(2)
        }
        await #expect(processExitsWith: .signal(5)) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            signal.breakpoint(error: { $0 == .first }).observe { _ in preconditionFailure() }
            input.sendError(.first)
        }
        await #expect(processExitsWith: .signal(5)) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            signal.breakpoint(completed: { true }).observe { _ in preconditionFailure() }
            input.sendCompleted()
        }
        await #expect(processExitsWith: .signal(5)) {
            let (signal, input) = Signal<Int, TestError>.pipe()
            signal.breakpoint(interrupted: { true }).observe { _ in preconditionFailure() }
            input.sendInterrupted()
        }
    }
}

import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// The forms that log only their kind of event.
private enum Form: String, CaseIterable, Sendable {
    case logNext, logError, logCompleted, logInterrupted, logAll

    func apply(_ source: Numbers, _ logger: @escaping EventLogger) -> Numbers {
        switch self {
        case .logNext: source.logNext(logger: logger)
        case .logError: source.logError(logger: logger)
        case .logCompleted: source.logCompleted(logger: logger)
        case .logInterrupted: source.logInterrupted(logger: logger)
        case .logAll: source.logAll(logger: logger)
        }
    }

    func logs(_ event: Event<Int, TestError>) -> Bool {
        switch (self, event) {
        case (.logAll, _), (.logNext, .next), (.logError, .error), (.logCompleted, .completed),
            (.logInterrupted, .interrupted):
            true
        default: false
        }
    }
}

@Suite("logEvents of producers")
struct LogEventsTests {
    private let log = Log<String>()
    private var logger: EventLogger { { [log] identifier, event, _, _, _ in log.append("\(identifier): \(event)") } }

    @Test("logs the start, every event, the termination and the disposal", arguments: terminals)
    func all(terminal: Event<Int, TestError>) {
        let producer = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }.logEvents(identifier: "x", logger: logger)
        #expect(log.all.isEmpty)
        producer.start { [log] in log.append($0.text) }
        expect(
            log.all,
            is: [
                "x: STARTING", "x: NEXT 1", "1", "x: \(terminal)", "x: TERMINATED", terminal.text, "x: DISPOSED",
                "x: STARTED",
            ])
    }

    @Test("logs an interruption by disposal")
    func disposal() {
        Numbers.never.logEvents(identifier: "x", logger: logger).start().dispose()
        expect(
            log.all, is: ["x: STARTING", "x: STARTED", "x: INTERRUPTED", "x: TERMINATED", "x: DISPOSED"])
    }

    @Test("logs only the requested events, for every combination")
    func choices() {
        let kinds = LoggingEvent.SignalProducer.allCases
        expect(LoggingEvent.SignalProducer.allEvents, is: Set(kinds))
        for bits in 0..<(1 << kinds.count) {
            let chosen = Set(kinds.indices.filter { bits & (1 << $0) != 0 }.map { kinds[$0] })
            log.removeAll()
            let result = Numbers(value: 1).logEvents(identifier: "x", events: chosen, logger: logger).logged()
            let happened: [(LoggingEvent.SignalProducer, String)] = [
                (.starting, "STARTING"), (.next, "NEXT 1"), (.completed, "COMPLETED"), (.terminated, "TERMINATED"),
                (.disposed, "DISPOSED"), (.started, "STARTED"),
            ]
            expect(log.all, is: happened.filter { chosen.contains($0.0) }.map { "x: \($0.1)" })
            expect(result.all, is: ["1", "completed"])
        }
    }

    @Test("logs its kind of event in each of the short forms", arguments: Form.allCases)
    private func shortForms(form: Form) {
        for terminal in terminals {
            log.removeAll()
            let source = Numbers { observer, _ in
                observer.sendNext(1)
                observer.send(terminal)
            }
            let result = form.apply(source.named("s"), logger)
            expect(result.logged().all, is: ["1", terminal.text])
            let events = [Event<Int, TestError>.next(1), terminal]
            expect(log.all, is: events.filter(form.logs).map { "s: \($0)" })
            expect(result.name, is: "[s] -\(form.rawValue)")
        }
    }

    @Test("logs the producer's name unless it has an identifier, as its documentation shows")
    func identifier() {
        Numbers(error: .first).named("request").logEvents(events: [.starting, .error], logger: logger).start()
        expect(log.all, is: ["request: STARTING", "request: ERROR first"])
        log.removeAll()
        Numbers(value: 1).map { $0 }.logEvents(events: [.next], logger: logger).start()
        expect(log.all, is: ["[value] -map:: NEXT 1"])
    }

    @Test("logs the call site")
    func place() {
        let places = Log<String>()
        let noting: EventLogger = { _, _, file, function, line in places.append("\(file) \(function) \(line > 0)") }
        Numbers(value: 1).logEvents(events: [.next], logger: noting).logNext(logger: noting)
            .logCompleted(logger: noting).start()
        expect(places.all, is: Array(repeating: "ProducersTests/LogEventsTests.swift place() true", count: 3))
        places.removeAll()
        Numbers(error: .first).logError(fileName: "F.swift", functionName: "g", lineNumber: 7) {
            _, _, file, function, line in
            places.append("\(file) \(function) \(line)")
        }.start()
        expect(places.all, is: ["F.swift g 7"])
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func order() { expectInterrupts { $0.logEvents { _, _, _, _, _ in } } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.logEvents { _, _, _, _, _ in member.touch() } }
        expectReleases { source, member in source.logNext { _, _, _, _, _ in member.touch() } }
    }
}

import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Records what is logged.
private final class Notes: Sendable {
    private let entries = Log<String>()
    private let places = Log<String>()

    /// One `identifier: event` per line.
    var lines: [String] { entries.all }
    /// The file, the function, and whether the line number is positive.
    var calls: [String] { places.all }

    var logger: EventLogger {
        { [entries, places] identifier, event, file, function, line in
            entries.append("\(identifier): \(event)")
            places.append("\(file) \(function) \(line > 0)")
        }
    }
}

/// The forms that log only one kind of event, or all.
private enum Form: String, CaseIterable {
    case logNext, logError, logCompleted, logInterrupted, logAll

    func apply(_ source: Source, _ logger: @escaping EventLogger) -> Source {
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

private let terminals: [Event<Int, TestError>] = [.completed, .error(.second), .interrupted]

@Suite("logEvents")
struct LogEventsTests {
    @Test("logs every event, the termination, and the disposal")
    func all() {
        for ending in terminals {
            let notes = Notes()
            let (source, input) = Source.pipe()
            let log = source.logEvents(identifier: "numbers", logger: notes.logger).logged()
            input.sendNext(1)
            input.sendNext(2)
            input.send(ending)
            input.sendNext(3)
            expect(
                notes.lines,
                is: [
                    "numbers: NEXT 1", "numbers: NEXT 2", "numbers: \(ending)", "numbers: TERMINATED",
                    "numbers: DISPOSED",
                ])
            expect(log.all, is: ["1", "2", ending.text])
        }
    }

    @Test("logs an event before it goes downstream, and the disposal after it")
    func order() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.logEvents { _, event, _, _, _ in log.append(event) }.observe { log.append($0.text) }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["NEXT 1", "1", "COMPLETED", "TERMINATED", "completed", "DISPOSED"])
    }

    @Test("logs only the requested events, for every subset of them")
    func choices() {
        let kinds = LoggingEvent.Signal.allCases
        for bits in 0..<(1 << kinds.count) {
            let chosen = Set(kinds.indices.filter { bits & (1 << $0) != 0 }.map { kinds[$0] })
            for ending in terminals {
                let notes = Notes()
                let (source, input) = Source.pipe()
                let log = source.logEvents(identifier: "x", events: chosen, logger: notes.logger).logged()
                input.sendNext(1)
                input.send(ending)
                let happened: [(LoggingEvent.Signal?, String)] = [
                    (.next, "NEXT 1"),
                    (.error, ending.error == nil ? "" : "ERROR second"),
                    (.completed, ending.isCompleted ? "COMPLETED" : ""),
                    (.interrupted, ending == .interrupted ? "INTERRUPTED" : ""),
                    (.terminated, "TERMINATED"), (.disposed, "DISPOSED"),
                ]
                let expected = happened.compactMap { kind, text -> String? in
                    guard let kind, chosen.contains(kind), !text.isEmpty else { return nil }
                    return "x: \(text)"
                }
                expect(notes.lines, is: expected)
                expect(log.all, is: ["1", ending.text])
            }
        }
    }

    @Test("the short forms log only their kind of event", arguments: Form.allCases)
    fileprivate func shortForms(form: Form) {
        for ending in terminals {
            let notes = Notes()
            let (source, input) = Source.pipe()
            let result = form.apply(source.named("s"), notes.logger)
            let log = result.logged()
            let events = [Event<Int, TestError>.next(1), ending]
            for event in events { input.send(event) }
            expect(notes.lines, is: events.filter(form.logs).map { "s: \($0)" })
            expect(log.all, is: ["1", ending.text])
        }
    }

    @Test("forwards all events", arguments: Form.allCases)
    fileprivate func passes(form: Form) {
        expectForwardsTerminals { form.apply($0, Notes().logger) }
        expectForwardsTerminals { $0.logEvents(logger: Notes().logger) }
        expectModel {
            form.apply($0, Notes().logger)
        } does: { values, ending in
            values.map(String.init) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("uses the stream's current name unless it has an identifier")
    func identifier() {
        let notes = Notes()
        let (source, input) = Source.pipe()
        let mapped = source.skipRepeats()
        mapped.logEvents(events: [.next], logger: notes.logger).observe { _ in }
        input.sendNext(1)
        source.named("numbers")
        input.sendNext(2)
        mapped.named("distinct")
        input.sendNext(3)
        expect(
            notes.lines, is: ["[pipe] -skipRepeats: NEXT 1", "[numbers] -skipRepeats: NEXT 2", "distinct: NEXT 3"])
    }

    @Test("logs what its documentation shows")
    func example() {
        let notes = Notes()
        let (signal, input) = Signal<String, Never>.pipe()
        signal.named("username").skipRepeats().logEvents(events: [.next, .completed], logger: notes.logger)
            .observe { _ in }
        for name in ["joan", "joan"] { input.sendNext(name) }
        input.sendCompleted()
        expect(notes.lines, is: ["[username] -skipRepeats: NEXT joan", "[username] -skipRepeats: COMPLETED"])
    }

    @Test("logs the call site")
    func place() {
        let notes = Notes()
        let (source, input) = Source.pipe()
        source.logEvents(events: [.next], logger: notes.logger).logNext(logger: notes.logger)
            .logAll(logger: notes.logger).observe { _ in }
        input.sendNext(1)
        input.sendCompleted()
        expect(
            notes.calls,
            is: Array(repeating: "SignalsTests/LogEventsTests.swift place() true", count: notes.lines.count))
        expect(notes.lines.count, is: 4)

        let lines = Log<Int>()
        let (other, otherInput) = Source.pipe()
        other.logNext(fileName: "F.swift", functionName: "g", lineNumber: 7) { _, _, file, function, line in
            #expect((file, function) == ("F.swift", "g"))
            lines.append(line)
        }.observe { _ in }
        otherInput.sendNext(1)
        expect(lines.all, is: [7])
    }

    @Test("logs an event once for any number of observers, including none")
    func once() {
        let notes = Notes()
        let (source, input) = Source.pipe()
        let result = source.logEvents(identifier: "x", events: [.next], logger: notes.logger)
        input.sendNext(0)
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(1)
        expect(notes.lines, is: ["x: NEXT 0", "x: NEXT 1"])
        #expect(logs.allSatisfy { $0.all == ["1"] })
    }

    @Test("logs only the disposal when the last observer is disposed of and nothing retains the signal")
    func disposed() {
        let notes = Notes()
        let (source, input) = Source.pipe()
        let disposable = source.logEvents(identifier: "x", logger: notes.logger).observe { _ in }
        #expect(notes.lines.isEmpty)
        disposable?.dispose()
        input.sendNext(1)
        input.sendCompleted()
        expect(notes.lines, is: ["x: DISPOSED"])
    }

    @Test("logs the interruption of a signal that has terminated, and of one whose input is released")
    func interrupted() {
        let expected = ["x: INTERRUPTED", "x: TERMINATED", "x: DISPOSED"]
        let notes = Notes()
        let result = Source.empty.logEvents(identifier: "x", logger: notes.logger)
        expect(notes.lines, is: expected)
        expect(result.logged().all, is: ["interrupted"])
        expect(notes.lines, is: expected)

        let others = Notes()
        do {
            let (source, input) = Source.pipe()
            source.logEvents(identifier: "x", logger: others.logger).observe { _ in }
            withExtendedLifetime(input) {}
        }
        expect(others.lines, is: expected)
    }

    @Test("logs re-entrant events after the current event")
    func reentrant() {
        let notes = Notes()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.logEvents(identifier: "x", events: [.next], logger: notes.logger).observe { event in
            log.append("begin \(event.text), \(notes.lines.count) logged")
            if event.value == 1 { input.sendNext(2) }
            log.append("end \(event.text), \(notes.lines.count) logged")
        }
        input.sendNext(1)
        expect(log.all, is: ["begin 1, 1 logged", "end 1, 1 logged", "begin 2, 2 logged", "end 2, 2 logged"])
        input.sendInterrupted()
    }

    @Test("logs on the sender's thread")
    func thread() {
        let log = Log<Bool>()
        let (source, input) = Source.pipe()
        let sender = Locked<UInt>(0)
        source.logNext { _, _, _, _, _ in log.append(ThreadIdentity.current == sender.withLock { $0 }) }
            .observe { _ in }
        TestThread("logging") {
            sender.withLock { $0 = ThreadIdentity.current }
            input.sendNext(1)
        }.join()
        expect(log.all, is: [true])
    }

    @Test("retains neither the source nor the logger longer than it is observed")
    func releases() {
        expectReleasesClosure { source, member in source.logEvents { _, _, _, _, _ in member.touch() } }
        expectReleasesClosure { source, member in source.logNext { _, _, _, _, _ in member.touch() } }
        expectReleasesClosure { source, member in
            source.logEvents(events: []) { _, _, _, _, _ in member.touch() }.map { value in
                member.touch()
                return value
            }
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.logEvents(identifier: "x").name, is: "[never] -logEvents")
        for form in Form.allCases {
            expect(form.apply(Source.never, Notes().logger).name, is: "[never] -\(form.rawValue)")
        }
    }
}

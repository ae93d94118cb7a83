import Foundation
import ReactiveSignals
import TestSupport
import Testing

extension ExitTest.Result {
    /// The lines that the process itself printed, without those of the test runner.
    fileprivate var lines: [String] {
        String(decoding: standardOutputContent, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("[") }
    }
}

@Suite("EventLogger")
struct EventLoggerTests {
    @Test("prints one line per event, without the file's folder")
    func prints() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            printEvent(
                identifier: "login", event: "NEXT joan", fileName: "App/Sources/Login.swift",
                functionName: "observe()", lineNumber: 12)
            printEvent(identifier: "", event: "COMPLETED", fileName: "Main.swift", functionName: "f", lineNumber: 0)
            printEvent(identifier: "x", event: "", fileName: "", functionName: "", lineNumber: -1)
            fflush(nil)
        }
        expect(
            result.lines,
            is: [
                "[login] NEXT joan (Login.swift:12, observe())",
                "[] COMPLETED (Main.swift:0, f)",
                "[x]  (:-1, )",
            ])
    }

    @Test("prints what its documentation shows")
    func example() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let (usernames, input) = Signal<String, Never>.pipe()
            let logged = usernames.named("username").skipRepeats().take(first: 3).logEvents(
                fileName: "Login.swift", functionName: "observe()", lineNumber: 12)
            logged.observeNext { _ in }
            input.sendNext("joan")
            fflush(nil)
            // Otherwise its end would be logged as well.
            withExtendedLifetime(input) {}
        }
        expect(
            result.lines.first, is: "[[[username] -skipRepeats] -take: 3] NEXT joan (Login.swift:12, observe())")
    }

    @Test("can be any function with its signature, including the user's")
    func custom() {
        let log = Log<String>()
        let logger: EventLogger = { identifier, event, file, function, line in
            log.append("\(identifier)|\(event)|\(file)|\(function)|\(line)")
        }
        logger("a", "NEXT 1", "File.swift", "f()", 3)
        expect(log.all, is: ["a|NEXT 1|File.swift|f()|3"])
        let standard: EventLogger = printEvent
        withExtendedLifetime(standard) {}
    }
}

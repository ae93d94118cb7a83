import HotSignals
import TestSupport
import Testing

@Suite("require")
struct RequireTests {
    @Test("does not evaluate the message while the condition holds")
    func holds() {
        let messages = Counter()
        require(true, "\(messages.increment())", file: #fileID, line: #line)
        expect(messages.value, is: 0)
    }

    @Test("traps with the message and the call site in every build configuration")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            require(false, "operator(count: -1)", file: "App/Main.swift", line: 12)
        }
        #expect(result.message.contains("App/Main.swift:12: Fatal error: operator(count: -1)"))
    }
}

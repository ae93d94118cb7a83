import HotSignals
import TestSupport
import Testing

@Suite("require")
struct RequireTests {
    @Test("does not make the message while the condition holds")
    func holds() {
        let messages = Counter()
        require(true, "\(messages.increment())")
        #expect(messages.value == 0)
    }

    @Test("traps with the message, in every kind of build")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            require(false, "operator(count: -1)")
        }
        #expect(result.message.contains("operator(count: -1)"))
    }
}

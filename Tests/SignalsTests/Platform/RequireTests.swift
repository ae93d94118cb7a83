import HotSignals
import TestSupport
import Testing

@Suite("require")
struct RequireTests {
    @Test("does not evaluate the message while the condition holds")
    func holds() {
        let messages = Counter()
        require(true, "\(messages.increment())")
        expect(messages.value, is: 0)
    }

    @Test("traps with the message in every build configuration, and names no file of the library")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            require(false, "operator(count: -1)")
        }
        result.expectTrap("operator(count: -1)")
    }
}

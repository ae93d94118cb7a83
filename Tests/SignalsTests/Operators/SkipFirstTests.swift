import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(first:)")
struct SkipFirstTests {
    @Test("drops the first values and sends the rest", arguments: 0...5)
    func skips(count: Int) {
        let (source, input) = Source.pipe()
        let log = source.skip(first: count).logged()
        for value in 1...5 { input.sendNext(value) }
        input.sendCompleted()
        #expect(log.all == (1...5).dropFirst(count).map { "\($0)" } + ["completed"])
    }

    @Test("sends only the terminal event of a source with fewer values")
    func fewer() {
        let (source, input) = Source.pipe()
        let log = source.skip(first: 3).logged()
        input.sendNext(1)
        input.sendError(.first)
        expect(log.all, is: ["error first"])
    }

    @Test("counts once for all observers")
    func shared() {
        let (source, input) = Source.pipe()
        let result = source.skip(first: 1)
        input.sendNext(1)
        let late = result.logged()
        input.sendNext(2)
        expect(late.all, is: ["2"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.skip(first: 1) } }

    @Test("traps when the count is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.skip(first: -2)
        }
        result.expectTrap("skip(first: -2)")
    }
}

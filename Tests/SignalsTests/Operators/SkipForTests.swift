import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("skip(for:on:)")
struct SkipForTests {
    private func skipped(_ diagram: String, for seconds: Int = 5) -> [String] {
        timeline(of: diagram) { $0.skip(for: .seconds(seconds), on: $1) }
    }

    @Test("drops values until the interval has elapsed")
    func skips() {
        expect(
            skipped("1---2345"),
            is: ["3 at 5, on its sender's thread", "4 at 6, on its sender's thread", "5 at 7, on its sender's thread"])
        expect(skipped("1", for: 0), is: ["1 at 0, on its sender's thread"])
    }

    @Test("forwards terminal events at once")
    func ends() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(skipped("1-" + mark), is: ["\(text) at 2, on its sender's thread"])
        }
    }

    @Test("does not start over when the clock is set back")
    func clockGoesBack() {
        let scheduler = SkewedScheduler()
        let (source, input) = Source.pipe()
        let log = source.skip(for: .seconds(5), on: scheduler).logged()
        scheduler.base.advance(by: .seconds(5))
        input.sendNext(1)
        scheduler.skew(by: .seconds(-4))
        input.sendNext(2)
        expect(log.all, is: ["1", "2"])
        wind(input, up: scheduler.base)
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.skip(for: .seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("skip(for: -1.0 seconds)")
    }
}

import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("slidingWindow(for:on:)")
struct SlidingWindowForTests {
    private func windows(_ diagram: String) -> [String] {
        timeline(of: diagram) { $0.slidingWindow(for: .seconds(3), on: $1) }.map {
            $0.replacing(", on its sender's thread", with: "")
        }
    }

    @Test("contains the values of less than the interval before each value")
    func slides() {
        expect(
            windows("12-3-4----5"),
            is: ["[1] at 0", "[1, 2] at 1", "[2, 3] at 3", "[3, 4] at 5", "[5] at 10"])
        // The 1 arrived exactly one interval before the 2.
        expect(windows("1--2"), is: ["[1] at 0", "[2] at 3"])
    }

    @Test("forwards terminal events, and releases the values")
    func ends() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(windows("1" + mark), is: ["[1] at 0", "\(text) at 1"])
        }
        let population = Population()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let result = source.slidingWindow(for: .seconds(3), on: TestScheduler())
        let disposable = result.observe { _ in }
        input.sendNext(population.member())
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(population.alive, is: 0)
        withExtendedLifetime((result, disposable)) {}
    }

    @Test("traps unless the interval is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.slidingWindow(for: .zero, on: QueueScheduler())
        }
        result.expectTrap("slidingWindow(for: 0.0 seconds)")
    }
}

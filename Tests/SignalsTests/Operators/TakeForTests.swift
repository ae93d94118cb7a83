import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("take(for:on:)")
struct TakeForTests {
    private func taken(_ diagram: String, for seconds: Int = 5) -> [String] {
        timeline(of: diagram) { $0.take(for: .seconds(seconds), on: $1) }
    }

    @Test("forwards values on the sender's thread, and completes on the scheduler")
    func completes() {
        expect(
            taken("-1-2---3"),
            is: ["1 at 1, on its sender's thread", "2 at 3, on its sender's thread", "completed at 5"])
        expect(taken("", for: 0), is: ["completed at 0"])
    }

    @Test("forwards an earlier terminal event")
    func ends() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(taken("--" + mark), is: ["\(text) at 2, on its sender's thread"])
        }
    }

    @Test("releases the source when the interval elapses, and cancels its timer when the source ends")
    func releases() {
        let scheduler = TestScheduler()
        let released = Counter()
        let first = Source { input, lifetime in
            lifetime.observeEnded { withExtendedLifetime(input) { _ = released.increment() } }
        }.take(for: .seconds(5), on: scheduler).logged()
        scheduler.run()
        expect(first.all, is: ["completed"])
        expect(released.value, is: 1)

        let (source, input) = Source.pipe()
        let second = source.take(for: .seconds(5), on: scheduler).logged()
        input.sendCompleted()
        expect(second.all, is: ["completed"])
        let end = scheduler.now
        scheduler.run()
        expect(scheduler.now, is: end, "nothing is scheduled any longer")
    }

    @Test("has the interval in its name")
    func name() {
        expect(
            Source.pipe().output.take(for: .seconds(2), on: TestScheduler()).name,
            is: "[pipe] -take(for: 2.0 seconds)")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.take(for: .seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("take(for: -1.0 seconds)")
    }
}

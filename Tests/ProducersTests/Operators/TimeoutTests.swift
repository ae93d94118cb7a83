import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("timeout(after:raising:on:) of producers")
struct TimeoutTests {
    private func timed(_ diagram: String, until end: Int = 50) -> [String] {
        timeline(of: diagram, until: end) { $0.timeout(after: .seconds(5), raising: .second, on: $1) }
    }

    @Test("fails on the scheduler when the time since the start is up, values or not")
    func fails() {
        expect(timed(""), is: ["error second at 5"])
        expect(
            timed("-1-2-3-4"),
            is: [
                "1 at 1, on its sender's thread", "2 at 3, on its sender's thread", "error second at 5",
            ])
        #expect(timed("", until: 4).isEmpty)
    }

    @Test("does not fail when the source has ended in time, however")
    func inTime() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(timed("--" + mark), is: ["\(text) at 2, on its sender's thread"])
        }
    }

    @Test("passes on what a source sends at once, and then lets nothing wait on the scheduler")
    func synchronous() {
        let scheduler = TestScheduler()
        let producer = Numbers([1, 2]).timeout(after: .zero, raising: .first, on: scheduler)
        for _ in 0..<2 { expect(producer.logged().all, is: ["1", "2", "completed"]) }
        let never = Numbers.never.timeout(after: .zero, raising: .first, on: scheduler).logged()
        #expect(never.all.isEmpty)
        scheduler.run()
        expect(never.all, is: ["error first"])
    }

    @Test("cancels the work when it fails")
    func cancels() {
        let scheduler = TestScheduler()
        let manual = Manual()
        manual.producer.timeout(after: .seconds(5), raising: .first, on: scheduler).start()
        scheduler.advance(by: .seconds(4))
        expect(manual.disposals.value, is: 0)
        scheduler.advance(by: .seconds(1))
        expect(manual.disposals.value, is: 1)
        manual.release()
    }

    @Test("gives an error to a producer that cannot fail")
    func promotes() {
        let scheduler = TestScheduler()
        let trigger = Trigger()
        let producer = trigger.producer.timeout(after: .seconds(5), raising: TestError.second, on: scheduler)
        let log = producer.logged()
        trigger.input?.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["1", "error second"])
        expect(trigger.disposals.value, is: 1)
        expect(producer.name, is: "[[producer] -promoteError] -timeout(after: 5.0 seconds)")
    }

    @Test("follows its source in time, each start on its own")
    func follows() { expectFollows { $0.timeout(after: .seconds(5), raising: .second, on: TestScheduler()) } }

    @Test("is called so")
    func name() {
        let producer = Numbers.never.timeout(after: .seconds(5), raising: .first, on: TestScheduler())
        expect(producer.name, is: "[never] -timeout(after: 5.0 seconds)")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.timeout(
                after: .seconds(-1), raising: TestError.first, on: QueueScheduler())
        }
        result.expectTrap("timeout(after: -1.0 seconds)")
        let failing = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, TestError>.never.timeout(
                after: .seconds(-2), raising: .first, on: QueueScheduler())
        }
        failing.expectTrap("timeout(after: -2.0 seconds)")
    }
}

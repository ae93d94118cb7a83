import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("onIdle(_:on:)")
struct OnIdleTests {
    /// What the closure receives and when, if the diagram is observed for 20 seconds.
    private func calls(_ diagram: String) -> [String] {
        let calls = Log<String>()
        _ = timeline(of: diagram, until: 20) { source, scheduler in
            source.onIdle(.seconds(5), on: scheduler) { idle in
                calls.append("\(idle.components.seconds) at \(scheduler.now.offset.components.seconds)")
            }
        }
        return calls.all
    }

    @Test("calls its closure after each silent interval")
    func repeats() {
        expect(calls(""), is: ["5 at 5", "10 at 10", "15 at 15", "20 at 20"])
        expect(calls("---1"), is: ["5 at 8", "10 at 13", "15 at 18"])
        expect(calls("1234-5678-9"), is: ["5 at 15", "10 at 20"])
    }

    @Test("does not call its closure at the end of an interval in which the source ended")
    func ends() {
        for mark in "|X!" { expect(calls("1---" + String(mark)), is: []) }
    }

    @Test("forwards all events on the sender's thread")
    func forwards() {
        expect(
            timeline(of: "1------2X") { $0.onIdle(.seconds(5), on: $1) { _ in } },
            is: [
                "1 at 0, on its sender's thread", "2 at 7, on its sender's thread",
                "error first at 8, on its sender's thread",
            ])
    }

    @Test("sets no timer per value")
    func timers() {
        let scheduler = CountingScheduler()
        let (source, input) = Source.pipe()
        let disposable = source.onIdle(.seconds(5), on: scheduler) { _ in }.observe { _ in }
        for _ in 0..<1_000 { input.sendNext(1) }
        expect(scheduler.timers.value, is: 1)
        disposable?.dispose()
    }

    @Test("is interrupted if its scheduler drops the timer, like other operators with one", .watched)
    func dropped() {
        let scheduler = ClosingScheduler(isOpen: true)
        let (source, input) = Source.pipe()
        let log = source.onIdle(.seconds(5), on: scheduler) { _ in }.logged()
        input.sendNext(1)
        scheduler.shutDown()
        #expect(becomesTrue { log.all == ["1", "interrupted"] })
        input.sendNext(2)
        expect(log.count, is: 2)
    }

    @Test("does not count the time for which the observer handles a value")
    func observerTime() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let calls = Log<String>()
        source.onIdle(.seconds(10), on: scheduler) { idle in
            calls.append("\(idle.components.seconds) at \(scheduler.now.offset.components.seconds)")
        }.observe { event in
            if event.value != nil { scheduler.advance(by: .seconds(25)) }
        }
        input.sendNext(1)
        input.sendNext(2)
        expect(calls.all, is: [])
        scheduler.advance(by: .seconds(10))
        expect(calls.all, is: ["10 at 60"])
        input.sendCompleted()
    }

    @Test("traps unless the interval is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.onIdle(.zero, on: QueueScheduler()) { _ in }
        }
        result.expectTrap("onIdle(0.0 seconds)")
    }
}

/// Counts the timers that are set on it, and never fires.
private final class CountingScheduler: DelayScheduler {
    let timers = Counter()
    private let base = TestScheduler()

    var now: TestScheduler.Instant { base.now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { base.schedule(action) }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        timers.increment()
        return AnyDisposable {}
    }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(after: delay, leeway: leeway, action) }
}

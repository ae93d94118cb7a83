import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("timeout(after:raising:on:) of producers")
struct TimeoutTests {
    private func timed(_ diagram: String, until end: Int = 50) -> [String] {
        timeline(of: diagram, until: end) { $0.timeout(after: .seconds(5), raising: .second, on: $1) }
    }

    @Test("fails on the scheduler when the time since the start is up, whether or not values arrive")
    func fails() {
        expect(timed(""), is: ["error second at 5"])
        expect(
            timed("-1-2-3-4"),
            is: [
                "1 at 1, on its sender's thread", "2 at 3, on its sender's thread", "error second at 5",
            ])
        #expect(timed("", until: 4).isEmpty)
    }

    @Test("does not fail when the source has ended in time, in any way")
    func inTime() {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(timed("--" + mark), is: ["\(text) at 2, on its sender's thread"])
        }
    }

    @Test("forwards the values of a synchronous source, and leaves no timer behind")
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

    @Test("gives a producer that cannot fail an error type")
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

    @Test("follows a source that ends in time, separately for each start")
    func follows() { expectFollows { $0.timeout(after: .seconds(5), raising: .second, on: TestScheduler()) } }

    @Test("has the operator's name")
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

@Suite("timeout(after:switchingTo:on:) and timeout(between:switchingTo:on:)")
struct TimeoutFallbackTests {
    private func timed(_ diagram: String, between: Bool) -> [String] {
        timeline(of: diagram, until: 50) { source, scheduler in
            let fallback = Numbers([8, 9])
            return between
                ? source.timeout(between: .seconds(3), switchingTo: fallback, on: scheduler)
                : source.timeout(after: .seconds(3), switchingTo: fallback, on: scheduler)
        }.map { $0.replacing(", on its sender's thread", with: "") }
    }

    @Test("continues with the fallback when the time is up")
    func falls() {
        expect(timed("1-2-4", between: false), is: ["1 at 0", "2 at 2", "8 at 3", "9 at 3", "completed at 3"])
        expect(timed("1-2-4", between: true), is: ["1 at 0", "2 at 2", "4 at 4", "8 at 7", "9 at 7", "completed at 7"])
    }

    @Test("forwards the end of a source that ends in time", arguments: [false, true])
    func inTime(between: Bool) {
        for (mark, text) in [("|", "completed"), ("X", "error first"), ("!", "interrupted")] {
            expect(timed("1-" + mark, between: between), is: ["1 at 0", "\(text) at 2"])
        }
    }

    @Test("cancels the source before it starts the fallback", arguments: [false, true])
    func order(between: Bool) {
        let scheduler = TestScheduler()
        let steps = Log<String>()
        let source = Numbers { input, lifetime in
            lifetime.observeEnded { withExtendedLifetime(input) { steps.append("source is cancelled") } }
        }
        let fallback = Numbers([1]).on(starting: { steps.append("fallback starts") })
        let log =
            between
            ? source.timeout(between: .seconds(3), switchingTo: fallback, on: scheduler).logged()
            : source.timeout(after: .seconds(3), switchingTo: fallback, on: scheduler).logged()
        scheduler.run()
        expect(log.all, is: ["1", "completed"])
        expect(steps.all, is: ["source is cancelled", "fallback starts"])
    }

    @Test("does not count the time for which the observer handles a value")
    func observerTime() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let source = Numbers([1, 2, 3]).concat(Numbers.never)
        source.timeout(between: .seconds(20), switchingTo: Numbers(value: -1), on: scheduler).start { event in
            log.append("\(event.text) at \(scheduler.now.offset.components.seconds)")
            if event.value != nil { scheduler.advance(by: .seconds(40)) }
        }
        expect(log.all, is: ["1 at 0", "2 at 40", "3 at 80"])
        scheduler.advance(by: .seconds(20))
        expect(log.all.suffix(2), is: ["-1 at 140", "completed at 180"])
    }

    @Test("applies no limit to the fallback, and forwards its error")
    func fallback() {
        let scheduler = TestScheduler()
        let (fallback, input) = Signal<Int, TestError>.pipe()
        let log = Numbers.never.timeout(after: .seconds(3), switchingTo: fallback.producer, on: scheduler).logged()
        scheduler.advance(by: .seconds(100))
        input.sendNext(1)
        input.sendError(.second)
        expect(log.all, is: ["1", "error second"])
    }
}

import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("delayStart(_:on:)")
struct DelayStartTests {
    @Test("starts on the scheduler after the interval, separately for each start")
    func delays() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let producer = Numbers([1, 2]).on(starting: { starts.increment() }).delayStart(.seconds(5), on: scheduler)
        let log = producer.logged()
        scheduler.advance(by: .seconds(4))
        expect(starts.value, is: 0)
        let later = producer.logged()
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: ["1", "2", "completed"])
        expect(starts.value, is: 1)
        scheduler.advance(by: .seconds(4))
        expect(later.all, is: ["1", "2", "completed"])
        expect(starts.value, is: 2)
    }

    @Test("stops the timer and starts nothing when it is disposed of during the delay")
    func disposes() {
        let scheduler = TestScheduler()
        let starts = Counter()
        let (log, disposable) = Numbers([1]).on(starting: { starts.increment() })
            .delayStart(.seconds(5), on: scheduler).startLogged()
        disposable.dispose()
        expect(log.all, is: ["interrupted"])
        let end = scheduler.now
        scheduler.run()
        expect(scheduler.now, is: end)
        expect(starts.value, is: 0)
    }

    @Test("does not delay events")
    func events() {
        let scheduler = TestScheduler()
        let (source, input) = Signal<Int, TestError>.pipe()
        let log = source.producer.delayStart(.seconds(2), on: scheduler).logged()
        input.sendNext(1)
        scheduler.advance(by: .seconds(2))
        input.sendNext(2)
        input.sendError(.first)
        expect(log.all, is: ["2", "error first"])
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>.never.delayStart(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("delayStart(-1.0 seconds)")
    }
}

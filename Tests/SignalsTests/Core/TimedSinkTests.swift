import HotSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// The driver of the timed operators. What it sends is tested with each operator.
@Suite("TimedSink")
struct TimedSinkTests {
    private func delay(_ scheduler: some DelayScheduler) -> (Signal<Int, TestError>, Signal<Int, TestError>.Observer) {
        let (source, input) = Signal<Int, TestError>.pipe()
        return (source.delay(.seconds(5), on: scheduler), input)
    }

    @Test("uses one timer for any number of values")
    func oneTimer() {
        let scheduler = TimerLog()
        let (result, input) = delay(scheduler)
        let log = result.logged()
        for value in 1...3 {
            input.sendNext(value)
            scheduler.base.advance(by: .seconds(1))
        }
        expect(scheduler.log.all, is: ["set 5.0 seconds"])
        scheduler.base.advance(by: .seconds(10))
        expect(log.all, is: ["1", "2", "3"])
        expect(scheduler.log.all, is: ["set 5.0 seconds", "set 1.0 seconds", "set 1.0 seconds"])
        input.sendInterrupted()
        scheduler.base.advance()
    }

    @Test("replaces the timer when an event is due earlier, and disposes of it at the end")
    func replaces() {
        let scheduler = TimerLog()
        let (result, input) = delay(scheduler)
        let log = result.logged()
        input.sendNext(1)
        input.sendError(.first)
        expect(scheduler.log.all, is: ["set 5.0 seconds", "stop", "action"])
        scheduler.base.advance()
        expect(log.all, is: ["error first"])
    }

    @Test("disposes of the timer when the result is disposed of")
    func stops() {
        let scheduler = TimerLog()
        let (result, input) = delay(scheduler)
        let disposable = result.observe { _ in }
        input.sendNext(1)
        disposable?.dispose()
        withExtendedLifetime(result) { expect(scheduler.log.all, is: ["set 5.0 seconds"]) }
        input.sendInterrupted()
        scheduler.base.advance()
        expect(scheduler.log.all, is: ["set 5.0 seconds", "stop", "action"])
    }

    @Test("sends nothing from a timer that fires while it is being replaced")
    func stale() {
        let scheduler = TimerLog()
        let (result, input) = delay(scheduler)
        let log = result.logged()
        input.sendNext(1)
        // The next timer is set while the first one fires.
        scheduler.whenSetNext { scheduler.base.advance(by: .seconds(5)) }
        input.sendError(.first)
        scheduler.base.advance(by: .seconds(5))
        expect(log.all, is: ["error first"])
    }

    @Test("waits if the clock is set back by less than a second, and continues if by more")
    func clockGoesBack() {
        for (skew, isLate) in [(-500, true), (-3_000, false)] {
            let scheduler = SkewedScheduler()
            let (source, input) = Signal<Int, TestError>.pipe()
            let log = source.collect(every: .seconds(5), on: scheduler, skipEmpty: true).logged()
            scheduler.base.advance(by: .seconds(4))
            input.sendNext(1)
            scheduler.skew(by: .milliseconds(skew))
            input.sendNext(2)
            scheduler.base.advance(by: .seconds(1))
            expect(log.all, is: isLate ? [] : ["[1, 2]"], "set back by \(skew) ms")
            scheduler.base.advance(by: .milliseconds(500))
            expect(log.all, is: ["[1, 2]"], "set back by \(skew) ms")
            wind(input, up: scheduler.base)
        }
    }

    @Test("tells a clock that is set back from a reading that other threads have overtaken")
    func oldReading() {
        var time = SteadyTime()
        var known: Duration?
        #expect(time.advance(to: .seconds(10), known: &known))
        // It may be old, so the clock must be read again.
        #expect(!time.advance(to: .seconds(2), known: &known))
        #expect(time.advance(to: .seconds(11), known: &known))
        #expect(time.now == .seconds(11))
        // A second one that began later is not old.
        known = nil
        #expect(!time.advance(to: .seconds(2), known: &known))
        #expect(time.advance(to: .seconds(2), known: &known))
        #expect(time.now == .seconds(11))
        known = nil
        #expect(time.advance(to: .seconds(5), known: &known))
        #expect(time.now == .seconds(14))
    }
}

/// Logs the timers that are set on it.
private final class TimerLog: DelayScheduler {
    let base = TestScheduler()
    let log = Log<String>()
    private let next = Locked<(@Sendable () -> Void)?>(nil)

    func whenSetNext(_ action: @escaping @Sendable () -> Void) { next.withLock { $0 = action } }

    var now: TestScheduler.Instant { base.now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        next.withLock { $0.take() }?()
        log.append("action")
        return base.schedule(action)
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        log.append("set \(delay)")
        let timer = base.schedule(after: delay, leeway: leeway, action)
        return AnyDisposable { [log] in
            log.append("stop")
            timer?.dispose()
        }
    }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { base.schedule(after: delay, interval: interval, leeway: leeway, action) }
}

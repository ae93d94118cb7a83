import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("throttle(_:on:)")
struct ThrottleTests {
    private func throttled(_ diagram: String, by seconds: Int = 5) -> [String] {
        timeline(of: diagram) { $0.throttle(.seconds(seconds), on: $1) }
    }

    @Test("sends the first value at once, then the latest one per interval")
    func limits() {
        expect(
            throttled("--1-2-3-4----------5--|"), is: ["1 at 2", "3 at 7", "4 at 12", "5 at 19", "completed at 22"])
        expect(throttled("123456789"), is: ["1 at 0", "5 at 5", "9 at 10"])
    }

    @Test("measures the interval from the last value sent, not from the last one received")
    func spacing() {
        // The 2 is sent at 5, so the 3 must wait until 10, even though it arrives five seconds after the 2 did.
        expect(throttled("1---2----3"), is: ["1 at 0", "2 at 5", "3 at 10"])
    }

    @Test("sends a value at once if the interval has just elapsed")
    func edge() {
        expect(throttled("1----2----3"), is: ["1 at 0", "2 at 5", "3 at 10"])
        expect(throttled("1-----2"), is: ["1 at 0", "2 at 6"])
        expect(throttled("1---2"), is: ["1 at 0", "2 at 5"])
    }

    @Test("schedules terminal events at once and discards the pending value")
    func terminals() {
        expect(throttled("-12|"), is: ["1 at 1", "completed at 3"])
        expect(throttled("-12X"), is: ["1 at 1", "error first at 3"])
        expect(throttled("-12!"), is: ["1 at 1", "interrupted at 3"])
        expect(throttled("-|"), is: ["completed at 1"])
    }

    @Test("sends nothing synchronously, and only the latest value when the scheduler runs")
    func scheduled() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.throttle(.seconds(5), on: scheduler).logged()
        input.sendNext(1)
        input.sendNext(2)
        #expect(log.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: ["2"])
        input.sendCompleted()
        expect(log.all, is: ["2"])
        scheduler.advance()
        expect(log.all, is: ["2", "completed"])
    }

    @Test(
        "sends a due value before a terminal event that precedes its timer",
        arguments: [Event<Int, TestError>.completed, .error(.first), .interrupted])
    func due(end: Event<Int, TestError>) {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        // Before the timer that is due at the same instant.
        scheduler.schedule(after: .seconds(5)) { input.send(end) }
        source.throttle(.seconds(5), on: scheduler).observe { log.append(when($0, scheduler)) }
        input.sendNext(1)
        scheduler.advance()
        input.sendNext(2)
        scheduler.run()
        expect(log.all, is: ["1 at 0", "2 at 5", "\(end.text) at 5"])

        let (other, otherInput) = Source.pipe()
        let first = other.throttle(.seconds(5), on: scheduler).logged()
        otherInput.sendNext(1)
        otherInput.sendNext(2)
        otherInput.send(end)
        #expect(first.all.isEmpty)
        scheduler.run()
        expect(first.all, is: ["2", end.text])
    }

    @Test("with a zero interval, sends the latest value whenever the scheduler runs")
    func zero() { expect(throttled("12-3|", by: 0), is: ["1 at 0", "2 at 1", "3 at 3", "completed at 4"]) }

    @Test("continues the interval when the clock is set back")
    func clockGoesBack() {
        let scheduler = SkewedScheduler()
        let (source, input) = Source.pipe()
        let log = source.throttle(.seconds(5), on: scheduler).logged()
        scheduler.base.advance(by: .seconds(10))
        input.sendNext(1)
        scheduler.base.advance(by: .seconds(2))
        expect(log.all, is: ["1"])
        scheduler.skew(by: .seconds(-8))
        input.sendNext(2)
        scheduler.base.advance(by: .seconds(3))
        // The two seconds before the clock was set back went unnoticed.
        expect(log.all, is: ["1"])
        scheduler.base.advance(by: .seconds(2))
        expect(log.all, is: ["1", "2"])
        input.sendNext(3)
        scheduler.base.advance(by: .seconds(4))
        expect(log.all, is: ["1", "2"])
        scheduler.base.advance(by: .seconds(1))
        expect(log.all, is: ["1", "2", "3"])
        wind(input, up: scheduler.base)
    }

    @Test("with latest false, discards values during an interval")
    func first() {
        let first: (String) -> [String] = { diagram in
            timeline(of: diagram) { $0.throttle(.seconds(5), on: $1, latest: false) }
        }
        expect(first("--1-2-3-4----------5--|"), is: ["1 at 2", "4 at 8", "5 at 19", "completed at 22"])
        expect(first("1----2---3"), is: ["1 at 0", "2 at 5"])
        expect(first("12X"), is: ["1 at 0", "error first at 2"])

        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.throttle(.seconds(5), on: scheduler, latest: false).logged()
        input.sendNext(1)
        input.sendNext(2)
        scheduler.advance()
        expect(log.all, is: ["1"], "the first value waits for the scheduler, and is the only one")
        wind(input, up: scheduler)
    }

    @Test("can send the pending value when it is due and then complete")
    func keeps() {
        let kept: (String) -> [String] = { diagram in
            timeline(of: diagram) { $0.throttle(.seconds(5), on: $1, discardWhenCompleted: false) }
        }
        expect(kept("-12|"), is: ["1 at 1", "2 at 6", "completed at 6"])
        expect(kept("-1-|"), is: ["1 at 1", "completed at 3"])
        expect(kept("-12X"), is: ["1 at 1", "error first at 3"])
        expect(kept("-12!"), is: ["1 at 1", "interrupted at 3"])
    }

    @Test("replaces the pending value with one that arrives at the same instant but before the timer")
    func sameInstant() {
        for isBefore in [true, false] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            if isBefore { scheduler.schedule(after: .seconds(5)) { input.sendNext(3) } }
            source.throttle(.seconds(5), on: scheduler).observe { log.append(when($0, scheduler)) }
            input.sendNext(1)
            scheduler.advance()
            input.sendNext(2)
            if !isBefore { scheduler.schedule(after: .seconds(5)) { input.sendNext(3) } }
            scheduler.run()
            #expect(log.all == (isBefore ? ["1 at 0", "3 at 5"] : ["1 at 0", "2 at 5", "3 at 10"]))
            wind(input, up: scheduler)
        }
    }

    @Test("handles events that an observer sends on the scheduler")
    func reentrant() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.throttle(.seconds(5), on: scheduler).observe { event in
            log.append(when(event, scheduler))
            switch event.value {
            case let value? where value < 3: input.sendNext(value + 1)
            case 3: input.sendCompleted()
            default: break
            }
        }
        input.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["1 at 0", "2 at 5", "3 at 10", "completed at 10"])
    }

    @Test("ends on the scheduler when the source ends")
    func ends() { expectEndsOnScheduler { $0.throttle(.seconds(1), on: $1) } }

    @Test("releases the pending value, even a due one, when it is disposed of")
    func dropsAtDisposal() { expectDropsPending(by: []) { $0.throttle(.seconds(1), on: $1) } }

    @Test(
        "releases a value that is not due for every terminal event",
        arguments: [Event<Population.Member, TestError>.completed, .error(.first), .interrupted])
    func drops(end: Event<Population.Member, TestError>) {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let log = Log<String>()
        source.throttle(.seconds(1), on: scheduler).observe { log.append($0.isTerminating ? $0.text : "a value") }
        input.sendNext(population.member())
        scheduler.advance(by: .milliseconds(999))
        input.sendNext(population.member())
        expect(population.alive, is: 1)
        input.send(end)
        expect(population.alive, is: 0)
        scheduler.run()
        expect(log.all, is: ["a value", end.text])
    }

    @Test("releases a value when a later one replaces it, and after it is sent")
    func holdsOne() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let disposable = source.throttle(.seconds(1), on: scheduler).observe { _ in }
        for _ in 0..<5 {
            input.sendNext(population.member())
            expect(population.alive, is: 1)
        }
        scheduler.advance()
        expect(population.alive, is: 0)
        disposable?.dispose()
        withExtendedLifetime(input) {}
    }

    @Test("limits the rate on a queue, and delivers there")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<(Int, SuspendingClock.Instant)>()
        let foreign = Counter()
        let first = Latch("throttle sends the first value")
        let last = Latch("throttle sends the last value")
        let done = Latch("throttle completes")
        let begin = scheduler.now
        source.throttle(.milliseconds(20), on: scheduler).observe { event in
            if CurrentScheduler.value !== scheduler { foreign.increment() }
            guard let value = event.value else { return done.open() }
            log.append((value, scheduler.now))
            if value == 1 { first.open() }
            if value == 100 { last.open() }
        }
        input.sendNext(1)
        first.wait()
        for value in 2...100 { input.sendNext(value) }
        last.wait()
        input.sendCompleted()
        done.wait()
        let values = log.all.map(\.0)
        expect(values.first, is: 1)
        expect(values.last, is: 100)
        expect(values, is: values.sorted())
        // The n-th value is not sent before n - 1 intervals have elapsed.
        #expect(log.all.enumerated().allSatisfy { $1.1 >= begin.advanced(by: .milliseconds(20 * $0)) })
        expect(foreign.value, is: 0)
    }

    @Test("has the interval in its name")
    func name() {
        let result = Source.pipe().output.throttle(.milliseconds(250), on: TestScheduler())
        expect(result.name, is: "[pipe] -throttle: 0.25 seconds")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.throttle(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("throttle(-1.0 seconds)")
    }
}

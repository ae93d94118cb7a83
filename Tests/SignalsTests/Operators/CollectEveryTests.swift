import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("collect(every:)")
struct CollectEveryTests {
    private func collected(
        _ diagram: String, until end: Int = 100, skipEmpty: Bool = false, discards: Bool = true
    ) -> [String] {
        timeline(of: diagram, until: end) {
            $0.collect(every: .seconds(5), on: $1, skipEmpty: skipEmpty, discardWhenCompleted: discards)
        }
    }

    @Test("sends the values of each interval, including empty arrays")
    func collects() {
        expect(collected("--1--2-----------3", until: 20), is: ["[1] at 5", "[2] at 10", "[] at 15", "[3] at 20"])
        expect(collected("", until: 19), is: ["[] at 5", "[] at 10", "[] at 15"])
        expect(collected("123456789", until: 10), is: ["[1, 2, 3, 4, 5] at 5", "[6, 7, 8, 9] at 10"])
    }

    @Test("sends no empty arrays if skipEmpty is set")
    func skipsEmpty() {
        expect(collected("--1--2-----------3", until: 25, skipEmpty: true), is: ["[1] at 5", "[2] at 10", "[3] at 20"])
        #expect(collected("", until: 30, skipEmpty: true).isEmpty)
    }

    @Test("starts its intervals when it is called, not when it is observed")
    func beginning() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        scheduler.advance(by: .seconds(2))
        let result = source.collect(every: .seconds(5), on: scheduler)
        scheduler.advance(by: .seconds(3))
        let log = Log<String>()
        let disposable = result.observe { log.append(when($0, scheduler)) }
        scheduler.advance(by: .seconds(10))
        disposable?.dispose()
        expect(log.all, is: ["[] at 7", "[] at 12"])
        withExtendedLifetime(input) {}
    }

    @Test("does not drift")
    func drift() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<Duration>()
        let disposable = source.collect(every: .milliseconds(300), on: scheduler).observe { _ in
            log.append(scheduler.now.offset)
        }
        scheduler.advance(by: .seconds(300))
        disposable?.dispose()
        #expect(log.all == (1...1_000).map { .milliseconds(300 * $0) })
        withExtendedLifetime(input) {}
    }

    @Test("by default discards the pending values on completion, and completes at once")
    func discards() {
        expect(collected("--1--2-|"), is: ["[1] at 5", "completed at 7"])
    }

    @Test("can send the remaining values and complete at the end of the interval instead")
    func keeps() {
        expect(collected("--1--2-|", discards: false), is: ["[1] at 5", "[2] at 10", "completed at 10"])
        expect(collected("|", discards: false), is: ["[] at 5", "completed at 5"])
        expect(collected("|", skipEmpty: true, discards: false), is: ["completed at 5"])
    }

    @Test("sends errors and interruption at once and discards the collected values", arguments: [true, false])
    func errors(discards: Bool) {
        for (mark, text) in [("X", "error first"), ("!", "interrupted")] {
            expect(collected("--1--2-" + mark, discards: discards), is: ["[1] at 5", "\(text) at 7"])
        }
    }

    @Test("collects values that an observer sends on the scheduler in the next interval")
    func reentrant() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.collect(every: .seconds(5), on: scheduler, discardWhenCompleted: false).observe { event in
            log.append(when(event, scheduler))
            switch event.value {
            case [1]: input.sendNext(2)
            case [2]: input.sendCompleted()
            default: break
            }
        }
        input.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["[1] at 5", "[2] at 10", "[] at 15", "completed at 15"])
    }

    @Test("includes a value that arrives at the last instant of an interval before the timer")
    func sameInstant() {
        for isBefore in [true, false] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            let send: @Sendable () -> Void = { input.sendNext(1) }
            if isBefore { scheduler.schedule(after: .seconds(5), send) }
            let disposable = source.collect(every: .seconds(5), on: scheduler).observe {
                log.append(when($0, scheduler))
            }
            if !isBefore { scheduler.schedule(after: .seconds(5), send) }
            scheduler.advance(by: .seconds(10))
            disposable?.dispose()
            #expect(log.all == (isBefore ? ["[1] at 5", "[] at 10"] : ["[] at 5", "[1] at 10"]))
        }
    }

    @Test("ends on the scheduler when the source ends")
    func ends() { expectEndsOnScheduler { $0.collect(every: .seconds(1), on: $1) } }

    @Test("sends no array after the source has ended, even if one is due")
    func nothingBetween() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        // Before the timer that is due at the same instant.
        scheduler.schedule(after: .seconds(5)) {
            input.sendNext(2)
            input.sendError(.first)
        }
        source.collect(every: .seconds(5), on: scheduler).observe { log.append(when($0, scheduler)) }
        input.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["error first at 5"])
    }

    @Test("stops its timer for every terminal event")
    func stops() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            for discards in [true, false] {
                let scheduler = TestScheduler()
                let (source, input) = Source.pipe()
                let result = source.collect(every: .seconds(5), on: scheduler, discardWhenCompleted: discards)
                input.send(event)
                // This would not return if the timer kept running.
                scheduler.run()
                expect(result.logged().all, is: ["interrupted"])
            }
        }
        let scheduler = TestScheduler()
        let ended = Source.empty.collect(every: .seconds(5), on: scheduler).logged()
        _ = Source.never.collect(every: .seconds(5), on: scheduler)
        scheduler.run()
        expect(ended.all, is: ["interrupted"])
    }

    @Test("stops when it is disposed of during a delivery")
    func disposedInside() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let disposable = SerialDisposable()
        disposable.inner = Source.never.collect(every: .seconds(5), on: scheduler).observe { event in
            log.append(event.text)
            if log.count == 2 { disposable.dispose() }
        }
        scheduler.run()
        expect(log.all, is: ["[]", "[]"])
    }

    @Test("is interrupted when the input is released")
    func released() {
        let scheduler = TestScheduler()
        let log = {
            let (source, input) = Source.pipe()
            let log = source.collect(every: .seconds(5), on: scheduler).logged()
            input.sendNext(1)
            return log
        }()
        scheduler.run()
        expect(log.all, is: ["interrupted"])
    }

    @Test("releases the collected values when they are discarded or it is disposed of")
    func drops() {
        expectDropsPending(by: [.completed, .error(.first), .interrupted]) { $0.collect(every: .seconds(1), on: $1) }
        expectDropsPending { $0.collect(every: .seconds(1), on: $1, discardWhenCompleted: false) }
    }

    @Test("loses no values on a queue, and delivers there")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<[Int]>()
        let foreign = Counter()
        let done = Latch("collect(every:) on a queue")
        source.collect(every: .milliseconds(2), on: scheduler, discardWhenCompleted: false).observe { event in
            if CurrentScheduler.value !== scheduler { foreign.increment() }
            if let values = event.value { log.append(values) } else { done.open() }
        }
        for value in 0..<10_000 { input.sendNext(value) }
        input.sendCompleted()
        done.wait()
        expect(log.all.flatMap(\.self), is: Array(0..<10_000))
        expect(foreign.value, is: 0)
    }

    @Test("has the interval in its name")
    func name() {
        let result = Source.pipe().output.collect(every: .seconds(5), on: TestScheduler())
        expect(result.name, is: "[pipe] -collect(every: 5.0 seconds)")
    }

    @Test("traps unless the interval is positive")
    func notPositive() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.collect(every: .zero, on: QueueScheduler())
        }
        zero.expectTrap("collect(every: 0.0 seconds)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.collect(every: .seconds(-1), on: QueueScheduler())
        }
        negative.expectTrap("collect(every: -1.0 seconds)")
    }
}

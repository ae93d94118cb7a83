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

    @Test("sends what came in each interval, and empty arrays too")
    func collects() {
        expect(collected("--1--2-----------3", until: 20), is: ["[1] at 5", "[2] at 10", "[] at 15", "[3] at 20"])
        expect(collected("", until: 19), is: ["[] at 5", "[] at 10", "[] at 15"])
        expect(collected("123456789", until: 10), is: ["[1, 2, 3, 4, 5] at 5", "[6, 7, 8, 9] at 10"])
    }

    @Test("sends no empty arrays if they are to be skipped")
    func skipsEmpty() {
        expect(collected("--1--2-----------3", until: 25, skipEmpty: true), is: ["[1] at 5", "[2] at 10", "[3] at 20"])
        #expect(collected("", until: 30, skipEmpty: true).isEmpty)
    }

    @Test("begins its intervals when it is called, not when it is observed")
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

    @Test("does not drift, however late an array is taken")
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

    @Test("discards by default, and then completes at once")
    func discards() {
        expect(collected("--1--2-|"), is: ["[1] at 5", "completed at 7"])
    }

    @Test("sends the rest and completes at the end of the interval, if nothing is to be discarded")
    func keeps() {
        expect(collected("--1--2-|", discards: false), is: ["[1] at 5", "[2] at 10", "completed at 10"])
        expect(collected("|", discards: false), is: ["[] at 5", "completed at 5"])
        expect(collected("|", skipEmpty: true, discards: false), is: ["completed at 5"])
    }

    @Test("sends errors and interruptions at once, and discards what was collected", arguments: [true, false])
    func errors(discards: Bool) {
        for (mark, text) in [("X", "error first"), ("!", "interrupted")] {
            expect(collected("--1--2-" + mark, discards: discards), is: ["[1] at 5", "\(text) at 7"])
        }
    }

    @Test("keeps what an observer sends on the scheduler for the next interval")
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

    @Test("takes into an interval what comes at its last instant before its end")
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

    @Test("ends on the scheduler with its source")
    func ends() { expectEndsOnScheduler { $0.collect(every: .seconds(1), on: $1) } }

    @Test("sends no array between the end of the source and its own")
    func nothingBetween() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        // Before the timer that falls due at the same instant.
        scheduler.schedule(after: .seconds(5)) {
            input.sendNext(2)
            input.sendError(.first)
        }
        source.collect(every: .seconds(5), on: scheduler).observe { log.append(when($0, scheduler)) }
        input.sendNext(1)
        scheduler.run()
        expect(log.all, is: ["error first at 5"])
    }

    @Test("stops its timer when it ends, however it ends")
    func stops() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            for discards in [true, false] {
                let scheduler = TestScheduler()
                let (source, input) = Source.pipe()
                let result = source.collect(every: .seconds(5), on: scheduler, discardWhenCompleted: discards)
                input.send(event)
                // Would not return if the timer went on.
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

    @Test("stops when its observer goes inside a delivery")
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

    @Test("interrupts when the input is released")
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

    @Test("drops and releases what was collected with what discards it, and with disposal")
    func drops() {
        expectDropsPending(by: [.completed, .error(.first), .interrupted]) { $0.collect(every: .seconds(1), on: $1) }
        expectDropsPending { $0.collect(every: .seconds(1), on: $1, discardWhenCompleted: false) }
    }

    @Test("loses nothing on a queue, on which arrays arrive")
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

    @Test("is named with its interval")
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

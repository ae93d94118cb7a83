import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("delay")
struct DelayTests {
    @Test("delays values and completion by the interval")
    func delays() {
        expect(
            timeline(of: "--1--2--3--|") { $0.delay(.seconds(4), on: $1) },
            is: [
                "1 at 6", "2 at 9", "3 at 12", "completed at 15",
            ])
        expect(timeline(of: "---|") { $0.delay(.seconds(4), on: $1) }, is: ["completed at 7"])
    }

    @Test("sends nothing before the interval has elapsed")
    func exactly() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.delay(.seconds(4), on: scheduler).logged()
        input.sendNext(1)
        scheduler.advance(by: .nanoseconds(3_999_999_999))
        #expect(log.all.isEmpty)
        scheduler.advance(by: .nanoseconds(1))
        expect(log.all, is: ["1"])
        wind(input, up: scheduler)
    }

    @Test("does not delay errors and interruption, which drop pending values")
    func cutsOff() {
        expect(timeline(of: "--1--2-X") { $0.delay(.seconds(4), on: $1) }, is: ["1 at 6", "error first at 7"])
        expect(timeline(of: "--1--2-!") { $0.delay(.seconds(4), on: $1) }, is: ["1 at 6", "interrupted at 7"])
        expect(timeline(of: "-1X") { $0.delay(.seconds(4), on: $1) }, is: ["error first at 2"])
        expect(timeline(of: "X") { $0.delay(.seconds(4), on: $1) }, is: ["error first at 0"])
    }

    @Test("sends nothing synchronously, including errors")
    func scheduled() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.delay(.seconds(1), on: scheduler).logged()
        input.sendNext(1)
        input.sendError(.second)
        #expect(log.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: ["error second"])
    }

    @Test("preserves order, including for events sent at one instant", arguments: [0, 3])
    func order(seconds: Int) {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.delay(.seconds(seconds), on: scheduler).observe { log.append(when($0, scheduler)) }
        for value in 0..<100 { input.sendNext(value) }
        input.sendCompleted()
        #expect(log.all.isEmpty)
        scheduler.advance(by: .seconds(seconds))
        #expect(log.all == (0..<100).map { "\($0) at \(seconds)" } + ["completed at \(seconds)"])
    }

    @Test("with a zero interval, sends on the scheduler at the same instant")
    func zero() {
        expect(
            timeline(of: "--1-2|") { $0.delay(.zero, on: $1) }, is: ["1 at 2", "2 at 4", "completed at 5"])
    }

    @Test("sends everything that is due, and no more, when the scheduler is late")
    func late() {
        let scheduler = SkewedScheduler()
        let (source, input) = Source.pipe()
        let log = source.delay(.seconds(4), on: scheduler).logged()
        for value in 1...3 {
            input.sendNext(value)
            scheduler.base.advance(by: .seconds(1))
        }
        #expect(log.all.isEmpty)
        // The first timer fires at four seconds, when the clock reads five and a half.
        scheduler.skew(by: .milliseconds(1_500))
        scheduler.base.advance(by: .seconds(1))
        expect(log.all, is: ["1", "2"])
        scheduler.base.advance(by: .milliseconds(500))
        expect(log.all, is: ["1", "2", "3"])
        wind(input, up: scheduler.base)
    }

    @Test("handles events that an observer sends on the scheduler")
    func reentrant() {
        for seconds in [0, 2] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            source.delay(.seconds(seconds), on: scheduler).observe { event in
                log.append(when(event, scheduler))
                switch event.value {
                case let value? where value < 3: input.sendNext(value + 1)
                case 3: input.sendCompleted()
                default: break
                }
            }
            input.sendNext(1)
            scheduler.run()
            #expect(
                log.all == (1...3).map { "\($0) at \($0 * seconds)" } + ["completed at \(4 * seconds)"])
        }
    }

    @Test("drops values due at the same instant when an observer sends an error")
    func reentrantError() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.delay(.seconds(2), on: scheduler).observe { event in
            log.append(when(event, scheduler))
            if event.value == 1 { input.sendError(.first) }
        }
        input.sendNext(1)
        input.sendNext(2)
        input.sendNext(3)
        scheduler.run()
        expect(log.all, is: ["1 at 2", "error first at 2"])
    }

    @Test("drops the remaining due values when it is disposed of during a delivery")
    func disposedInside() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let disposable = SerialDisposable()
        disposable.inner = source.delay(.seconds(2), on: scheduler).observe { event in
            log.append(event.text)
            if event.value == 2 { disposable.dispose() }
        }
        for value in 1...4 { input.sendNext(value) }
        scheduler.advance(by: .seconds(1))
        input.sendNext(5)
        scheduler.run()
        expect(log.all, is: ["1", "2"])
    }

    @Test("ends on the scheduler when the source ends") func ends() {
        expectEndsOnScheduler { $0.delay(.seconds(1), on: $1) }
    }

    @Test("releases pending values on an error, an interruption and disposal")
    func drops() { expectDropsPending { $0.delay(.seconds(1), on: $1) } }

    @Test("delivers pending values and the completion after the source has been released")
    func outlivesSource() {
        let scheduler = TestScheduler()
        let log: Log<String> = {
            let (source, input) = Source.pipe()
            let log = source.delay(.seconds(1), on: scheduler).logged()
            input.sendNext(1)
            input.sendCompleted()
            return log
        }()
        scheduler.run()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("delays on a queue, and delivers there in order")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<Int>()
        let early = Counter()
        let foreign = Counter()
        let done = Latch("delay on a queue")
        let begin = scheduler.now
        source.delay(.milliseconds(5), on: scheduler).observe { event in
            if scheduler.now < begin.advanced(by: .milliseconds(5)) { early.increment() }
            if CurrentScheduler.value !== scheduler { foreign.increment() }
            if let value = event.value { log.append(value) } else { done.open() }
        }
        for value in 0..<1_000 { input.sendNext(value) }
        input.sendCompleted()
        done.wait()
        expect(log.all, is: Array(0..<1_000))
        expect(early.value, is: 0)
        expect(foreign.value, is: 0)
    }

    @Test("has the interval in its name")
    func name() {
        expect(Source.pipe().output.delay(.seconds(5), on: TestScheduler()).name, is: "[pipe] -delay: 5.0 seconds")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.delay(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("delay(-1.0 seconds)")
    }
}

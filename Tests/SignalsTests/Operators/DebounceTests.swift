import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("debounce")
struct DebounceTests {
    private func debounced(_ diagram: String, by seconds: Int = 5, discards: Bool = true) -> [String] {
        timeline(of: diagram) {
            $0.debounce(.seconds(seconds), on: $1, discardWhenCompleted: discards)
        }
    }

    @Test("sends the last value after a quiet interval, and discards a pending value on completion")
    func waits() {
        expect(debounced("--1-2-3--------4--|"), is: ["3 at 11", "completed at 18"])
        expect(debounced("1----2----3"), is: ["1 at 5", "2 at 10", "3 at 15"])
    }

    @Test("sends nothing while values keep coming")
    func burst() {
        expect(debounced("1---2---3---4---5"), is: ["5 at 21"])
        expect(debounced("123456789", by: 3), is: ["9 at 11"])
    }

    @Test("by default discards the pending values on completion, and completes at once")
    func discardsByDefault() {
        expect(timeline(of: "-12|") { $0.debounce(.seconds(5), on: $1) }, is: ["completed at 3"])
    }

    @Test("can complete after the pending value, when that is due, instead")
    func keeps() {
        expect(debounced("--1-2-3--------4--|", discards: false), is: ["3 at 11", "4 at 20", "completed at 20"])
        expect(debounced("12|", discards: false), is: ["2 at 6", "completed at 6"])
    }

    @Test("completes at once if no value is pending", arguments: [true, false])
    func completes(discards: Bool) {
        expect(debounced("-|", discards: discards), is: ["completed at 1"])
        expect(debounced("1------|", discards: discards), is: ["1 at 5", "completed at 7"])
        expect(debounced("1----|", discards: discards), is: ["1 at 5", "completed at 5"])
    }

    @Test("schedules errors and interruption at once, and discards the pending value", arguments: [true, false])
    func errors(discards: Bool) {
        expect(debounced("-12X", discards: discards), is: ["error first at 3"])
        expect(debounced("-12!", discards: discards), is: ["interrupted at 3"])
        expect(debounced("1-----2-X", discards: discards), is: ["1 at 5", "error first at 8"])
    }

    @Test("sends nothing synchronously, including terminal events", arguments: [true, false])
    func scheduled(discards: Bool) {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = source.debounce(.zero, on: scheduler, discardWhenCompleted: discards).logged()
            input.send(event)
            #expect(log.all.isEmpty)
            scheduler.advance()
            expect(log.all, is: [event.text])
        }
    }

    @Test("with a zero interval, sends the latest value when the scheduler runs")
    func zero() {
        expect(debounced("12-3|", by: 0), is: ["1 at 0", "2 at 1", "3 at 3", "completed at 4"])
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.debounce(.zero, on: scheduler).logged()
        for value in 1...3 { input.sendNext(value) }
        #expect(log.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: ["3"])
        wind(input, up: scheduler)
    }

    @Test("replaces the pending value with one that arrives at the same instant but before the timer")
    func sameInstant() {
        for isBefore in [true, false] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            if isBefore { scheduler.schedule(after: .seconds(5)) { input.sendNext(2) } }
            source.debounce(.seconds(5), on: scheduler).observe { log.append(when($0, scheduler)) }
            input.sendNext(1)
            if !isBefore { scheduler.schedule(after: .seconds(5)) { input.sendNext(2) } }
            scheduler.run()
            #expect(log.all == (isBefore ? ["2 at 10"] : ["1 at 5", "2 at 10"]))
            wind(input, up: scheduler)
        }
    }

    @Test("sends nothing before the interval has elapsed")
    func exactly() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = source.debounce(.seconds(5), on: scheduler).logged()
        input.sendNext(1)
        scheduler.advance(by: .seconds(1))
        input.sendNext(2)
        scheduler.advance(by: .nanoseconds(4_999_999_999))
        #expect(log.all.isEmpty)
        scheduler.advance(by: .nanoseconds(1))
        expect(log.all, is: ["2"])
        wind(input, up: scheduler)
    }

    @Test("handles events that an observer sends on the scheduler")
    func reentrant() {
        for discards in [true, false] {
            let scheduler = TestScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            source.debounce(.seconds(5), on: scheduler, discardWhenCompleted: discards).observe { event in
                log.append(when(event, scheduler))
                switch event.value {
                case let value? where value < 3: input.sendNext(value + 1)
                case 3: input.sendCompleted()
                default: break
                }
            }
            input.sendNext(1)
            scheduler.run()
            expect(log.all, is: ["1 at 5", "2 at 10", "3 at 15", "completed at 15"])
        }
    }

    @Test("does not complete if its observer is disposed of in the delivery of the last value")
    func disposedInside() {
        let scheduler = TestScheduler()
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let disposable = SerialDisposable()
        disposable.inner = source.debounce(.seconds(5), on: scheduler, discardWhenCompleted: false).observe { event in
            log.append(event.text)
            disposable.dispose()
        }
        input.sendNext(1)
        input.sendCompleted()
        scheduler.run()
        expect(log.all, is: ["1"])
    }

    @Test("ends on the scheduler when the source ends", arguments: [true, false])
    func ends(discards: Bool) {
        expectEndsOnScheduler { $0.debounce(.seconds(1), on: $1, discardWhenCompleted: discards) }
    }

    @Test("releases the pending value when it is discarded or debounce is disposed of")
    func drops() {
        expectDropsPending(by: [.completed, .error(.first), .interrupted]) { $0.debounce(.seconds(1), on: $1) }
        expectDropsPending { $0.debounce(.seconds(1), on: $1, discardWhenCompleted: false) }
    }

    @Test("drops the pending value and completion when it is disposed of")
    func dropsCompletion() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let count = Counter()
        let disposable = source.debounce(.seconds(1), on: scheduler, discardWhenCompleted: false)
            .observe { _ in count.increment() }
        input.sendNext(population.member())
        input.sendCompleted()
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
        scheduler.run()
        expect(count.value, is: 0)
    }

    @Test("releases a value when a later one replaces it, and after it is sent")
    func holdsOne() {
        let population = Population()
        let scheduler = TestScheduler()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        let disposable = source.debounce(.seconds(1), on: scheduler).observe { _ in }
        for _ in 0..<5 {
            input.sendNext(population.member())
            expect(population.alive, is: 1)
        }
        scheduler.run()
        expect(population.alive, is: 0)
        disposable?.dispose()
        withExtendedLifetime(input) {}
    }

    @Test("debounces on a queue, and delivers there")
    func queue() {
        let scheduler = QueueScheduler()
        let (source, input) = Source.pipe()
        let log = Log<Int>()
        let early = Counter()
        let foreign = Counter()
        let done = Latch("debounce on a queue")
        let begin = scheduler.now
        source.debounce(.milliseconds(10), on: scheduler, discardWhenCompleted: false).observe { event in
            if CurrentScheduler.value !== scheduler { foreign.increment() }
            if scheduler.now < begin.advanced(by: .milliseconds(10)) { early.increment() }
            if let value = event.value { log.append(value) } else { done.open() }
        }
        for value in 1...100 { input.sendNext(value) }
        input.sendCompleted()
        done.wait()
        // On a busy machine, the source may have been quiet in between.
        expect(log.all.last, is: 100)
        expect(log.all, is: log.all.sorted())
        expect(early.value, is: 0)
        expect(foreign.value, is: 0)
    }

    @Test("has the interval in its name")
    func name() {
        let result = Source.pipe().output.debounce(.milliseconds(1_500), on: TestScheduler())
        expect(result.name, is: "[pipe] -debounce: 1.5 seconds")
    }

    @Test("traps when the interval is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.debounce(.seconds(-1), on: QueueScheduler())
        }
        result.expectTrap("debounce(-1.0 seconds)")
    }
}

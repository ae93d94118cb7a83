import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("An action that a scheduler releases without running it")
struct PendingActionTests {
    fileprivate typealias Producer = SignalProducer<Population.Member, TestError>

    /// Operators that wait for an action of their scheduler.
    enum Operator: String, CaseIterable, Sendable {
        case observeOn, delay, throttle, lazyMap, buffer, debounce, pace, collect, rateLimit

        fileprivate func apply(_ source: Producer, _ scheduler: ClosingScheduler) -> Producer {
            let moment = Duration.milliseconds(1)
            switch self {
            case .observeOn: return source.observe(on: scheduler)
            case .delay: return source.delay(moment, on: scheduler)
            case .throttle: return source.throttle(moment, on: scheduler)
            case .lazyMap: return source.lazyMap(on: scheduler) { $0 }
            case .buffer: return source.buffer(upTo: 5, whenFull: .dropOldest, on: scheduler)
            case .debounce: return source.debounce(moment, on: scheduler)
            case .pace: return source.pace(every: moment, on: scheduler, buffer: 5, whenFull: .dropOldest)
            case .collect: return source.collect(every: moment, on: scheduler).compactMap(\.first)
            case .rateLimit:
                return source.rateLimit(1, per: moment, buffer: 5, whenFull: .dropOldest, on: scheduler)
            }
        }
    }

    enum Ending: CaseIterable, Sendable {
        case none, disposal, completion, error, completionAndDisposal
    }

    @Test(
        "interrupts the result on a thread of the library, and nothing is kept",
        arguments: Operator.allCases, Ending.allCases)
    func released(_ tested: Operator, ending: Ending) {
        for returnsDisposable in [false, true] {
            let (population, log) = (Population(), Log<String>())
            let ended = Latch("the interruption of \(tested)")
            weak var scheduler: ClosingScheduler?
            do {
                let closed = ClosingScheduler(isOpen: false, returnsDisposable: returnsDisposable)
                scheduler = closed
                let (signal, input) = Signal<Population.Member, TestError>.pipe()
                let start = tested.apply(signal.producer, closed).start { [member = population.member()] event in
                    member.touch()
                    log.append("\(event.isTerminating ? event.text : "value")")
                    if event.isTerminating { ended.open() }
                }
                for _ in 0..<3 { input.sendNext(population.member()) }
                switch ending {
                case .none: break
                case .disposal: start.dispose()
                case .completion: input.sendCompleted()
                case .error: input.sendError(.first)
                case .completionAndDisposal:
                    input.sendCompleted()
                    start.dispose()
                }
                ended.wait()
            }
            expect(log.all.last, is: "interrupted")
            let isGone = becomesTrue { population.alive == 0 && scheduler == nil }
            #expect(isGone)
        }
    }

    @Test("interrupts a result that has delivered, if the scheduler shuts down later", arguments: Operator.allCases)
    func shutDown(_ tested: Operator) {
        let (population, log) = (Population(), Log<String>())
        let ended = Latch("the interruption of \(tested)")
        let scheduler = ClosingScheduler(isOpen: true)
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        tested.apply(signal.producer, scheduler).start { event in
            log.append("\(event.isTerminating ? event.text : "value")")
            if event.isTerminating { ended.open() }
        }
        input.sendNext(population.member())
        while log.count == 0 { scheduler.runNext() }
        input.sendNext(population.member())
        scheduler.shutDown()
        // Also if nothing was pending: the next value is.
        input.sendNext(population.member())
        ended.wait()
        expect(log.all, is: ["value", "interrupted"])
        #expect(becomesTrue { population.alive == 0 })
    }

    @Test("does not interrupt if it was cancelled")
    func cancelled() {
        let scheduler = ClosingScheduler(isOpen: true)
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = signal.delay(.milliseconds(1), on: scheduler).logged()
        input.sendNext(1)
        // Replaces the action.
        input.sendError(.first)
        scheduler.releaseNext()
        scheduler.runNext()
        expect(log.all, is: ["error first"])
    }

    @Test("is found again after thousands of actions that ran")
    func reused() {
        let scheduler = ClosingScheduler(isOpen: true)
        let (signal, input) = Signal<Int, TestError>.pipe()
        let ended = Latch("the interruption")
        let log = Log<Int>()
        signal.observe(on: scheduler).observe { event in
            if let value = event.value { log.append(value) } else { ended.open() }
        }
        for value in 0..<2_000 {
            input.sendNext(value)
            scheduler.runNext()
        }
        expect(log.all, is: Array(0..<2_000))
        input.sendNext(2_000)
        scheduler.shutDown()
        ended.wait()
        expect(log.count, is: 2_000)
    }

    @Test("interrupts timers, retries and starts that wait for it, so that whoever awaits them goes on")
    func producers() async {
        let scheduler = ClosingScheduler(isOpen: false)
        let moment = Duration.milliseconds(1)
        #expect(await SignalProducer<ContinuousClock.Instant, Never>.timer(after: moment, on: scheduler).first() == nil)
        #expect(
            await SignalProducer<ContinuousClock.Instant, Never>.timer(interval: moment, on: scheduler).first() == nil)
        #expect(await SignalProducer<Int, Never>.interval([1], moment, on: scheduler).first() == nil)
        #expect(await SignalProducer<Int, Never>(value: 1).start(on: scheduler).first() == nil)
        #expect(await SignalProducer<Int, Never>(value: 1).delayStart(moment, on: scheduler).first() == nil)
        let failing = SignalProducer<Int, TestError>(error: .first).retry(upTo: 3, interval: moment, on: scheduler)
        do {
            #expect(try await failing.first() == nil)
        } catch {
            Issue.record(error)
        }
    }
}

import HotSignals
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

@Suite("What keeps something of its own for a timer that its scheduler releases", .watched)
struct ReleasedActionTests {
    private typealias Producer = SignalProducer<Population.Member, TestError>

    private let moment = Duration.milliseconds(1)

    // MARK: Streams

    enum Operator: String, CaseIterable, Sendable {
        case perKey, groups, windows, firstSuccess, limitedStart

        /// Waits for an action of the scheduler after it has received a value.
        fileprivate func apply(
            _ source: SignalProducer<Population.Member, TestError>, _ scheduler: ClosingScheduler
        ) -> SignalProducer<Void, TestError> {
            let moment = Duration.milliseconds(1)
            switch self {
            case .perKey:
                return source.flatMap(
                    perKey: { _ in 1 }, .concat, idle: moment, maxKeys: 5, whenFull: .dropNewest, on: scheduler
                ) { SignalProducer<Population.Member, TestError>(value: $0) }.map { _ in }
            case .groups:
                return source.groupBy(
                    { _ in 1 }, bufferLimit: 5, idle: moment, maxKeys: 5, whenFull: .dropNewest, on: scheduler
                ).map { _ in }
            case .windows:
                return source.window(every: moment, on: scheduler, bufferLimit: 5, whenFull: .dropNewest).map { _ in }
            case .firstSuccess:
                let source = source.filter { _ in false }
                return SignalProducer<Population.Member, TestError>
                    .firstSuccess([source, source], staggeredBy: moment, on: scheduler)
                    .map { _ in }.mapError { _ in TestError.first }
            case .limitedStart:
                let limiter = RateLimiter(1, per: .seconds(3_600), on: scheduler)
                _ = limiter.tryAcquire()
                return source.start(limitedBy: limiter).map { _ in }
            }
        }
    }

    @Test(
        "a stream is interrupted, and nothing is kept", arguments: Operator.allCases, [true, false])
    func stream(_ tested: Operator, isOpen: Bool) {
        for returnsDisposable in [false, true] {
            let (population, log) = (Population(), Log<String>())
            let ended = Latch("the interruption of \(tested)")
            weak var scheduler: ClosingScheduler?
            do {
                let closing = ClosingScheduler(isOpen: isOpen, returnsDisposable: returnsDisposable)
                scheduler = closing
                let (signal, input) = Signal<Population.Member, TestError>.pipe()
                tested.apply(signal.producer, closing).start { [member = population.member()] event in
                    member.touch()
                    if event.isTerminating {
                        log.append(event.text)
                        ended.open()
                    }
                }
                input.sendNext(population.member())
                closing.shutDown()
                ended.wait()
            }
            expect(log.all, is: ["interrupted"])
            #expect(becomesTrue { population.alive == 0 && scheduler == nil })
        }
    }

    @Test("a stream that no longer waits goes on", arguments: Operator.allCases)
    func cancelled(_ tested: Operator) {
        let (scheduler, log) = (ClosingScheduler(isOpen: true), Log<String>())
        let (signal, input) = Signal<Population.Member, TestError>.pipe()
        let disposable = tested.apply(signal.producer, scheduler).start { if $0.isTerminating { log.append($0.text) } }
        disposable.dispose()
        input.sendNext(Population().member())
        scheduler.shutDown()
        settle()
        expect(log.all, is: ["interrupted"])
    }

    @Test("firstSuccess goes on if the next producer has begun without its interval, or if one has won")
    func firstSuccess() {
        let (scheduler, log) = (ClosingScheduler(isOpen: true), Log<String>())
        let inputs = (0..<3).map { _ in Signal<Int, TestError>.pipe() }
        SignalProducer.firstSuccess(inputs.map(\.output.producer), staggeredBy: moment, on: scheduler).start { event in
            log.append(event.value.map { "\($0)" } ?? "end")
        }
        inputs[0].input.sendError(.first)
        scheduler.releaseNext()
        settle()
        expect(log.all, is: [])
        inputs[1].input.sendNext(1)
        scheduler.releaseNext()
        settle()
        inputs[1].input.sendCompleted()
        expect(log.all, is: ["1", "end"])
    }

    // MARK: Rate limiters

    @Test("a rate limiter turns away the tasks that wait, and serves those that come later")
    func limiter() async {
        let scheduler = ClosingScheduler(isOpen: true)
        let limiter = RateLimiter(1, per: .seconds(3_600), on: scheduler)
        let keyed = RateLimiter.Keyed<Int>(1, per: .seconds(3_600), maxKeys: 10, on: scheduler)
        #expect(limiter.tryAcquire())
        #expect(keyed.tryAcquire(for: 1))
        async let isFirstAdmitted = isAdmitted { () async throws(CancellationError) in try await limiter.acquire() }
        async let isSecondAdmitted = isAdmitted { () async throws(CancellationError) in try await limiter.acquire() }
        async let isKeyAdmitted = isAdmitted { () async throws(CancellationError) in try await keyed.acquire(for: 1) }
        // Both lines have a timer.
        #expect(await eventually { scheduler.count == 2 && limiter.delay() > .seconds(2 * 3_600) })
        scheduler.shutDown()
        #expect(await !isFirstAdmitted)
        #expect(await !isSecondAdmitted)
        #expect(await !isKeyAdmitted)
        #expect(limiter.delay() < .seconds(3_600))
        #expect(await !isAdmitted { () async throws(CancellationError) in try await limiter.acquire() })
        #expect(keyed.tryAcquire(for: 2))
    }

    private func isAdmitted(
        _ acquire: @Sendable () async throws(CancellationError) -> Void
    ) async -> Bool {
        do {
            try await acquire()
            return true
        } catch {
            return false
        }
    }

    // MARK: Circuit breakers

    @Test("a circuit breaker admits a trial when its time has come")
    func breaker() {
        let scheduler = ClosingScheduler(isOpen: false)
        let breaker = CircuitBreaker<TestError, ContinuousClock.Instant>(
            failures: 1, reset: .constant(.nanoseconds(1)), on: scheduler)
        let starts = Counter()
        let request = SignalProducer<Int, TestError>(error: .first).on(starting: { starts.increment() })
            .circuitBreaker(breaker)
        for _ in 0..<3 {
            request.start()
            let begun = ContinuousClock.now
            #expect(becomesTrue { ContinuousClock.now - begun > .nanoseconds(1) })
        }
        expect(starts.value, is: 3)
    }

    // MARK: Sharing

    @Test("a cache forgets its values, and the work is done again")
    func cache() {
        let (population, scheduler, starts) = (Population(), ClosingScheduler(isOpen: true), Counter())
        let cached = SignalProducer<Population.Member, TestError> { observer, _ in
            starts.increment()
            observer.sendNext(population.member())
            observer.sendCompleted()
        }.cached(for: .seconds(3_600), on: scheduler)
        for _ in 0..<2 { cached.start() }
        expect(starts.value, is: 1)
        expect(population.alive, is: 1)
        scheduler.shutDown()
        #expect(becomesTrue { population.alive == 0 })
        // The scheduler releases the next timer at once.
        cached.start()
        #expect(becomesTrue { population.alive == 0 })
        cached.start()
        settle()
        expect(starts.value, is: 3)
        expect(population.alive, is: 0)
    }

    @Test("a single flight forgets the results of all keys")
    func singleFlight() {
        let (population, scheduler) = (Population(), ClosingScheduler(isOpen: true))
        let flight = SingleFlight<Int, Population.Member, TestError>(
            timeToLive: .seconds(3_600), maxEntries: 10, on: scheduler
        ) { _ in
            SignalProducer { observer, _ in
                observer.sendNext(population.member())
                observer.sendCompleted()
            }
        }
        for key in 0..<5 { flight.producer(for: key).start() }
        expect(population.alive, is: 5)
        scheduler.shutDown()
        #expect(becomesTrue { population.alive == 0 })
    }

    @Test("shared work whose grace period is measured ends, and its values are released", arguments: [false, true])
    func grace(isExpiry: Bool) {
        let (population, scheduler) = (Population(), ClosingScheduler(isOpen: true))
        let ended = Latch("the work")
        let shared = SignalProducer<Population.Member, TestError> { observer, lifetime in
            observer.sendNext(population.member())
            // Retained, so that the work does not end by itself.
            lifetime.observeEnded { withExtendedLifetime(observer) { ended.open() } }
        }.share(
            replay: 1,
            while: .observed(grace: .seconds(3_600), expiry: isExpiry ? .seconds(3_600) : .zero, on: scheduler))
        shared.start().dispose()
        expect(population.alive, is: 1)
        if isExpiry {
            // The grace period is over, and the values wait for their expiry.
            scheduler.runNext()
            ended.wait()
            expect(population.alive, is: 1)
        }
        scheduler.shutDown()
        ended.wait()
        #expect(becomesTrue { population.alive == 0 })
    }
}

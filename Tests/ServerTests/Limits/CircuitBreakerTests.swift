import HotSignals
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Breaker = CircuitBreaker<TestError, TestScheduler.Instant>

/// A dependency behind a breaker, with answers that the test chooses.
private final class Dependency: Sendable {
    let clock = TestScheduler()
    let breaker: Breaker
    let calls = Counter()
    let states = Log<String>()
    private let answer = Locked<Event<Int, TestError>?>(.completed)
    private let input = Locked<Signal<Int, TestError>.Observer?>(nil)

    init(_ make: (TestScheduler) -> Breaker) {
        breaker = make(clock)
        breaker.state.signal.observeNext { [states] state in
            switch state {
            case .closed: states.append("closed")
            case .open(let until): states.append("open until \(until.offset.components.seconds)")
            case .halfOpen: states.append("half open")
            }
        }
    }

    convenience init(failures: Int, reset: RetryPolicy<TestError> = .constant(.seconds(10))) {
        self.init { Breaker(failures: failures, reset: reset, on: $0) }
    }

    var producer: SignalProducer<Int, CircuitBreakerError<TestError, TestScheduler.Instant>> {
        SignalProducer<Int, TestError> { [self] observer, _ in
            calls.increment()
            if let event = answer.withLock({ $0 }) {
                observer.send(event)
            } else {
                input.withLock { $0 = observer }
            }
        }.circuitBreaker(breaker)
    }

    /// Makes a call with the given answer, and returns its result.
    @discardableResult
    func call(_ event: Event<Int, TestError>) -> String {
        answer.withLock { $0 = event }
        let result = Log<String>()
        producer.start { result.append($0.brief) }
        return result.all.joined(separator: " ")
    }

    /// Makes a call that the test answers later.
    func begin() -> (disposable: any Disposable, input: Signal<Int, TestError>.Observer?) {
        answer.withLock { $0 = nil }
        let disposable = producer.start()
        return (disposable, input.withLock { $0.take() })
    }

    func takeStates() -> [String] {
        defer { states.removeAll() }
        return states.all
    }
}

extension Event where Value == Int, Failure == CircuitBreakerError<TestError, TestScheduler.Instant> {
    fileprivate var brief: String {
        switch self {
        case .error(.open(let until)): "open until \(until.offset.components.seconds)"
        case .error(.failed(let error)): "failed \(error)"
        default: text
        }
    }
}

@Suite("circuitBreaker(_:)", .watched)
struct CircuitBreakerTests {
    private let failure = Event<Int, TestError>.error(.first)

    @Test("opens after consecutive failures, fails immediately, tries after the reset time, and closes")
    func cycle() {
        let dependency = Dependency(failures: 2)
        expect(dependency.call(failure), is: "failed first")
        expect(dependency.call(.completed), is: "completed")
        expect(dependency.call(failure), is: "failed first")
        expect(dependency.takeStates(), is: [])
        expect(dependency.call(failure), is: "failed first")
        expect(dependency.call(.completed), is: "open until 10")
        expect(dependency.calls.value, is: 4)
        dependency.clock.advance(by: .seconds(9))
        expect(dependency.call(.completed), is: "open until 10")
        dependency.clock.advance(by: .seconds(1))
        expect(dependency.takeStates(), is: ["open until 10", "half open"])
        expect(dependency.call(.completed), is: "completed")
        expect(dependency.takeStates(), is: ["closed"])
        expect(dependency.call(failure), is: "failed first")
        expect(dependency.breaker.state.value, is: .closed)
    }

    @Test("has the reset times of its policy, whatever that says of successes")
    func ignoresSuccesses() {
        let policy = RetryPolicy<TestError>.exponential(from: .seconds(10), cap: .seconds(1_000))
        for reset in [policy, policy.resetOnSuccess(), policy.resetOnSuccess(after: .seconds(60))] {
            let dependency = Dependency(failures: 1, reset: reset)
            dependency.call(failure)
            for time in [10, 20, 40, 80, 160, 320] as [Int64] {
                dependency.clock.advance(by: .seconds(time) - .nanoseconds(1))
                #expect(dependency.call(failure).hasPrefix("open until"), "before \(time)")
                dependency.clock.advance(by: .nanoseconds(1))
                expect(dependency.call(failure), is: "failed first", "after \(time)")
            }
        }
    }

    @Test("changes its state when the body of a modify has returned in which it opens")
    func opensInBody() {
        let dependency = Dependency(failures: 1)
        let (property, failures) = (MutableProperty(0), MutableProperty(0))
        dependency.breaker.state.signal.observeNext { _ in failures.modify { $0 += 1 } }
        property.modify { value in
            expect(dependency.call(failure), is: "failed first")
            expect(dependency.call(failure), is: "open until 10")
            expect(dependency.breaker.state.value, is: .closed)
            value = 1
        }
        expect(dependency.takeStates(), is: ["open until 10"])
        expect([property.value, failures.value], is: [1, 1])
    }

    @Test("a start, its result and its disposal wait for no closure, and the states follow in order")
    func waitsForNobody() {
        let dependency = Dependency(failures: 1)
        let other = MutableProperty(0)
        let isInside = Latch("no closure runs")
        let hasReturned = AtomicFlag()
        let derived = dependency.breaker.state.combineLatest(with: other).map { state, number in
            if number == 1 {
                isInside.open()
                #expect(becomesTrue { hasReturned.isRaised }, "a call waits for this closure")
            }
            return state
        }
        let observation = derived.producer.startWithNext { _ in }
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        let trial = dependency.begin()
        trial.input?.sendNext(1)
        let setter = TestThread("sets") { other.value = 1 }
        isInside.wait()
        trial.disposable.dispose()
        expect(dependency.call(failure), is: "failed first")
        dependency.clock.advance(by: .seconds(10))
        expect(dependency.call(failure), is: "failed first")
        hasReturned.raise()
        setter.join()
        waitUntilDrained()
        expect(
            dependency.takeStates(),
            is: ["open until 10", "half open", "closed", "open until 20", "half open", "open until 30"])
        expect(derived.value, is: dependency.breaker.state.value)
        observation.dispose()
    }

    @Test("allows one trial, and fails other starts while it runs")
    func trial() {
        let dependency = Dependency(failures: 1)
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        let trial = dependency.begin()
        dependency.clock.advance(by: .seconds(5))
        expect(dependency.call(.completed), is: "open until 20")
        expect(dependency.calls.value, is: 2)
        trial.input?.sendCompleted()
        expect(dependency.call(.completed), is: "completed")
    }

    @Test("allows another trial if one has not ended after the reset time")
    func hangingTrial() {
        let dependency = Dependency(failures: 1)
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        var trials: [(disposable: any Disposable, input: Signal<Int, TestError>.Observer?)] = []
        for number in 1...3 as ClosedRange<Int64> {
            trials.append(dependency.begin())
            expect(dependency.call(.completed), is: "open until \(10 * number + 10)")
            dependency.clock.advance(by: .seconds(9))
            // A trial that is given up late does not end the one that runs.
            if number == 2 { trials[0].disposable.dispose() }
            expect(dependency.call(.completed), is: "open until \(10 * number + 10)")
            dependency.clock.advance(by: .seconds(1))
        }
        expect(dependency.calls.value, is: 4)
        expect(dependency.takeStates(), is: ["open until 10", "half open"])
        expect(dependency.call(.completed), is: "completed")
        expect(dependency.takeStates(), is: ["closed"])
        // The breaker has closed, so what the others still send is ignored.
        trials[1].input?.sendError(.first)
        trials[2].input?.sendCompleted()
        expect(dependency.takeStates(), is: [])
    }

    @Test("a late result of a trial counts while the breaker is still half open", arguments: [true, false])
    func lateTrial(succeeds: Bool) {
        let dependency = Dependency(failures: 1)
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        let slow = dependency.begin()
        dependency.clock.advance(by: .seconds(10))
        let latest = dependency.begin()
        if succeeds { slow.input?.sendCompleted() } else { slow.input?.sendError(.first) }
        expect(dependency.takeStates(), is: ["open until 10", "half open", succeeds ? "closed" : "open until 30"])
        latest.input?.sendError(.first)
        expect(dependency.takeStates(), is: [])
    }

    @Test("counts a time limit in front of it as a failure, and one behind it as nothing")
    func timeLimits() {
        let dependency = Dependency(failures: 2)
        let (clock, breaker) = (dependency.clock, dependency.breaker)
        let work = SignalProducer<Int, TestError>.never
        for _ in 1...5 {
            work.circuitBreaker(breaker).mapError { _ in TestError.second }
                .timeout(after: .seconds(1), raising: .first, on: clock).start()
            clock.advance(by: .seconds(1))
        }
        expect(dependency.takeStates(), is: [])
        for _ in 1...2 {
            work.timeout(after: .seconds(1), raising: .first, on: clock).circuitBreaker(breaker).start()
            clock.advance(by: .seconds(1))
        }
        expect(dependency.takeStates(), is: ["open until 17"])
    }

    @Test("increases the reset time according to the policy, and resets it once the breaker has closed")
    func growth() {
        let dependency = Dependency(failures: 1, reset: .exponential(from: .seconds(1), cap: .seconds(4)))
        for delay in [1, 2, 4, 4] as [Int64] {
            let now = dependency.clock.now.offset.components.seconds
            expect(dependency.call(failure), is: "failed first")
            expect(dependency.call(.completed), is: "open until \(now + delay)")
            dependency.clock.advance(by: .seconds(delay))
        }
        expect(dependency.call(.completed), is: "completed")
        dependency.call(failure)
        expect(dependency.call(.completed), is: "open until 12")
    }

    @Test("repeats the last delay of a policy that gives up, or stays closed if it has none")
    func givingUp() {
        let limited = Dependency(failures: 1, reset: .exponential(from: .seconds(1), upTo: 2))
        for until in [1, 3, 5, 7] as [Int64] {
            limited.call(failure)
            expect(limited.call(.completed), is: "open until \(until)")
            limited.clock.advance(to: TestScheduler.Instant(offset: .seconds(until)))
        }
        let picky = Dependency(failures: 1, reset: RetryPolicy { error, _ in error == .first ? nil : .seconds(1) })
        for _ in 0..<3 { expect(picky.call(failure), is: "failed first") }
        expect(picky.takeStates(), is: [])
        picky.call(.error(.second))
        expect(picky.takeStates(), is: ["open until 1"])
    }

    @Test("opens when a share of the last results are failures, but not before there are enough results")
    func share() {
        let dependency = Dependency { Breaker(failing: 0.5, ofLast: 4, reset: .constant(.seconds(10)), on: $0) }
        for _ in 0..<3 { expect(dependency.call(failure), is: "failed first") }
        expect(dependency.takeStates(), is: [])
        dependency.call(.completed)
        // A success does not open the breaker, but a failure does.
        expect(dependency.takeStates(), is: [])
        dependency.call(failure)
        expect(dependency.takeStates(), is: ["open until 10"])
        dependency.clock.advance(by: .seconds(10))
        dependency.call(.completed)
        for event in [failure, .completed, .completed, .completed, failure] { dependency.call(event) }
        expect(dependency.takeStates(), is: ["half open", "closed"])
        dependency.call(failure)
        expect(dependency.takeStates(), is: ["open until 20"])
    }

    @Test("opens at a share that is not exact in binary")
    func inexactShare() {
        let dependency = Dependency { Breaker(failing: 0.55, ofLast: 100, reset: .constant(.seconds(10)), on: $0) }
        for _ in 0..<45 { dependency.call(.completed) }
        for _ in 0..<54 { dependency.call(failure) }
        expect(dependency.takeStates(), is: [])
        dependency.call(failure)
        expect(dependency.takeStates(), is: ["open until 10"])
    }

    @Test("counts errors that are not failures as successes")
    func notFailures() {
        let dependency = Dependency {
            Breaker(failures: 2, reset: .constant(.seconds(10)), on: $0) { $0 == .first }
        }
        for _ in 0..<5 { expect(dependency.call(.error(.second)), is: "failed second") }
        dependency.call(failure)
        dependency.call(.error(.second))
        dependency.call(failure)
        expect(dependency.takeStates(), is: [])
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        dependency.call(.error(.second))
        expect(dependency.takeStates(), is: ["open until 10", "half open", "closed"])
    }

    @Test("retries after an interrupted trial, and counts a trial disposed of after a value as a success")
    func interruptions() {
        let dependency = Dependency(failures: 1)
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        for _ in 0..<2 { dependency.begin().disposable.dispose() }
        expect(dependency.call(.interrupted), is: "interrupted")
        expect(dependency.takeStates(), is: ["open until 10", "half open"])
        let trial = dependency.begin()
        trial.input?.sendNext(1)
        trial.disposable.dispose()
        expect(dependency.takeStates(), is: ["closed"])
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        // Ended by an operator downstream.
        let numbers = SignalProducer<Int, TestError>([1, 2]).circuitBreaker(dependency.breaker).take(first: 1)
        numbers.start()
        expect(dependency.takeStates(), is: ["open until 20", "half open", "closed"])
    }

    @Test("ignores results of work that started before the last state change")
    func lateResults() {
        let dependency = Dependency(failures: 1)
        let starts = (0..<3).map { _ in dependency.begin() }
        starts[0].input?.sendError(.first)
        expect(dependency.takeStates(), is: ["open until 10"])
        starts[1].input?.sendError(.first)
        dependency.clock.advance(by: .seconds(10))
        starts[2].input?.sendCompleted()
        expect(dependency.takeStates(), is: ["half open"])
        dependency.call(.completed)
        expect(dependency.takeStates(), is: ["closed"])
    }

    @Test("a retry sees the state that the failure caused")
    func retry() {
        let dependency = Dependency(failures: 2)
        let log = Log<String>()
        SignalProducer<Int, TestError>(error: .first).on(starting: { log.append("begin") })
            .circuitBreaker(dependency.breaker).retry(upTo: 3).start { log.append($0.brief) }
        expect(log.all, is: ["begin", "begin", "open until 10"])
    }

    @Test("allows observers of the state to start work")
    func reentrant() {
        let dependency = Dependency(failures: 1)
        let log = Log<String>()
        dependency.breaker.state.signal.observeNext { [weak dependency] state in
            guard let dependency, state == .halfOpen else { return }
            log.append(dependency.call(.completed))
        }
        dependency.call(failure)
        dependency.clock.advance(by: .seconds(10))
        expect(log.all, is: ["completed"])
        expect(dependency.takeStates(), is: ["open until 10", "half open", "closed"])
    }

    @Test("tolerates a late timer, and stays open until the timer fires if the clock goes backwards")
    func clocks() {
        let clock = ScriptedClock()
        let breaker = CircuitBreaker<TestError, ScriptedClock.Instant>(
            failures: 1, reset: .constant(.seconds(10)), on: clock)
        let failing = SignalProducer<Int, TestError>(error: .first).circuitBreaker(breaker)
        failing.start()
        expect(clock.delays, is: [.seconds(10)])
        clock.time = .seconds(10)
        failing.start()
        expect(breaker.state.value, is: .open(until: ScriptedClock.Instant(offset: .seconds(20))))
        expect(clock.delays, is: [.seconds(10)])
        clock.time = .seconds(-100)
        failing.start()
        expect(breaker.state.value, is: .open(until: ScriptedClock.Instant(offset: .seconds(20))))
        clock.runScheduled()
        expect(breaker.state.value, is: .halfOpen)
    }

    @Test("allows only one of several threads to make the trial")
    func trialRace() {
        for _ in 0..<raceRounds {
            let clock = ScriptedClock()
            let breaker = CircuitBreaker<TestError, ScriptedClock.Instant>(
                failures: 1, reset: .constant(.seconds(1)), on: clock)
            SignalProducer<Int, TestError>(error: .first).circuitBreaker(breaker).start()
            clock.time = .seconds(1)
            let (begun, refused) = (Counter(), Counter())
            let starts = CompositeDisposable()
            let work = SignalProducer<Int, TestError>.never.on(starting: { begun.increment() })
                .circuitBreaker(breaker)
            onThreads(3, "trial") { thread in
                if thread == 2 { return clock.runScheduled() }
                starts.add(work.start { if case .error(.open) = $0 { refused.increment() } })
            }
            expect(begun.value, is: 1)
            expect(refused.value, is: 1)
            starts.dispose()
        }
    }

    @Test("makes only valid transitions on several threads, and sends the last state as the last event")
    func threads() {
        let clock = ScriptedClock()
        let breaker = CircuitBreaker<TestError, ScriptedClock.Instant>(
            failures: 3, reset: .constant(.milliseconds(1)), on: clock)
        let states = Log<CircuitBreaker<TestError, ScriptedClock.Instant>.State>()
        breaker.state.signal.observeNext { states.append($0) }
        let rounds = 2 * raceRounds
        onThreads(3, "breaker") { thread in
            for round in 0..<rounds {
                clock.tick(.microseconds(100))
                if round % 3 == 0 { clock.runScheduled() }
                let work = SignalProducer<Int, TestError> { observer, _ in
                    if round % 4 == 0 { observer.sendCompleted() } else { observer.sendError(.first) }
                }
                let start = work.circuitBreaker(breaker).start()
                if round % 5 == 0 { start.dispose() }
            }
        }
        expect(states.all.last ?? .closed, is: breaker.state.value)
        for (former, latter) in zip(states.all, states.all.dropFirst()) {
            switch (former, latter) {
            case (.closed, .open), (.open, .halfOpen), (.halfOpen, .open), (.halfOpen, .closed): break
            default: Issue.record("\(former), then \(latter)")
            }
        }
        // The breaker closes again from any state.
        for _ in 0..<3 {
            clock.tick(.seconds(1))
            SignalProducer<Int, TestError>.empty.circuitBreaker(breaker).start()
        }
        expect(breaker.state.value, is: .closed)
    }

    @Test("forwards all events, and has the operator's name")
    func common() {
        let breaker = Breaker(failures: 1, reset: .constant(.seconds(1)), on: TestScheduler())
        let log = Log<String>()
        SignalProducer<Int, TestError>([1, 2]).circuitBreaker(breaker).start { log.append($0.text) }
        expect(log.all, is: ["1", "2", "completed"])
        expect(
            SignalProducer<Int, TestError>.never.circuitBreaker(breaker).name, is: "[never] -circuitBreaker")
    }

    @Test("does not retain its work, and is not retained by the clock while it is open")
    func releases() {
        let population = Population()
        weak var breaker: Breaker?
        let clock = TestScheduler()
        do {
            let strong = Breaker(failures: 1, reset: .constant(.seconds(1)), on: clock)
            breaker = strong
            let member = population.member()
            SignalProducer<Int, TestError> { observer, lifetime in
                lifetime.observeEnded { member.touch() }
                observer.sendError(.first)
            }.circuitBreaker(strong).start()
        }
        expect(population.alive, is: 0)
        #expect(breaker == nil)
        clock.run()
        expect(clock.now.offset, is: .zero, "the timer is cancelled")
    }

    fileprivate static let mistakes: [(message: String, make: @Sendable () -> Void)] = [
        (
            "CircuitBreaker(failures: 0): the number of failures must be positive",
            { _ = Breaker(failures: 0, reset: .constant(.zero), on: TestScheduler()) }
        ),
        (
            "CircuitBreaker(failing: 0.0): the share must be greater than 0 and at most 1",
            { _ = Breaker(failing: 0, ofLast: 1, reset: .constant(.zero), on: TestScheduler()) }
        ),
        (
            "CircuitBreaker(failing: nan): the share must be greater than 0 and at most 1",
            { _ = Breaker(failing: .nan, ofLast: 1, reset: .constant(.zero), on: TestScheduler()) }
        ),
        (
            "CircuitBreaker(ofLast: 0): the number of results must be positive",
            { _ = Breaker(failing: 1, ofLast: 0, reset: .constant(.zero), on: TestScheduler()) }
        ),
    ]

    @Test("traps on invalid parameters", arguments: 0..<4)
    func traps(_ index: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            Self.mistakes[index].make()
        }
        result.expectTrap(Self.mistakes[index].message)
    }
}

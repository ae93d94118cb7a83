#if Explore
import ColdProducers
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Limits, caches and breakers")
    struct LimitExplorations {
        @Test("a rate limiter grants each permit once while starts wait and leave")
        func rateLimiter() {
            exhaust(
                Scenario("two that wait, one of which leaves, and the timer") { trial in
                    let time = HandScheduler(trial)
                    let limiter = RateLimiter(1, per: .seconds(1), on: time)
                    nonisolated(unsafe) var granted: [Int] = []
                    let state = Trial.State()
                    nonisolated(unsafe) var waiters: [Int: any Disposable] = [:]
                    trial.expect(limiter.tryAcquire(), "the first is refused")
                    for number in 0..<2 {
                        trial.thread {
                            let waiter = limiter.acquire(1) {
                                state.touch()
                                granted.append(number)
                            }
                            if number == 0 { waiter?.dispose() } else { waiters[number] = waiter }
                        }
                    }
                    trial.thread {
                        time.advance(by: 1)
                        if limiter.tryAcquire() {
                            state.touch()
                            granted.append(9)
                        }
                    }
                    trial.finally {
                        trial.expect(granted.count <= 1, "\(granted) within the first second")
                        for _ in 0..<3 { time.advance(by: 1) }
                        trial.expect(Set(granted).count == granted.count, "granted twice: \(granted)")
                        trial.expect(granted.contains(1), "it waits for ever: \(granted)")
                        time.expectEmpty()
                        trial.expect(limiter.delay() == .zero, "somebody still waits")
                    }
                }, preemptions: 1)
        }

        @Test("a keyed limiter has one bucket per key while threads use the key and evict it")
        func keyed() {
            exhaust(
                Scenario("two threads bring a key, another one brings others") { trial in
                    let time = HandScheduler(trial)
                    let limiter = RateLimiter.Keyed<Int>(1, per: .seconds(1), maxKeys: 2, on: time)
                    nonisolated(unsafe) var granted = 0
                    for _ in 0..<2 { trial.thread { if limiter.tryAcquire(for: 1) { granted += 1 } } }
                    trial.thread { _ = limiter.tryAcquire(for: 2) }
                    trial.finally {
                        trial.expect(granted == 1, "\(granted) permits of one")
                        trial.expect(limiter.count == 2, "\(limiter.count) keys")
                        _ = limiter.tryAcquire(for: 3)
                        trial.expect(limiter.count == 2, "\(limiter.count) keys")
                    }
                }, preemptions: 2)
        }

        enum End: CaseIterable, Sendable { case completes, fails, isInvalidated, expires }

        @Test("starts for a key share its work while the work ends", arguments: End.allCases)
        func singleFlight(end: End) {
            exhaust(
                Scenario("two starts for a key, one of which leaves, and the work \(end)") { trial in
                    let source = Source<TestFailure>(trial)
                    let time = HandScheduler(trial)
                    let flights = SingleFlight<Int, Int, TestFailure>(
                        timeToLive: .seconds(1), maxEntries: 1, on: time
                    ) { _ in source.producer }
                    let recorders = (0..<3).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                    let first = flights.producer(for: 1).start(recorders[0])
                    trial.thread { recorders[0].cancel(first) }
                    trial.thread { _ = flights.producer(for: 1).start(recorders[1]) }
                    trial.thread {
                        switch end {
                        case .completes: source.complete(at: 0)
                        case .fails: source.fail(TestFailure(), at: 0)
                        case .isInvalidated: flights.invalidate(1)
                        case .expires:
                            source.complete(at: 0)
                            time.advance(by: 1)
                        }
                    }
                    trial.finally {
                        trial.expect(source.starts <= 2, "\(source.starts) starts")
                        for number in 0..<source.starts { source.complete(at: number) }
                        for recorder in recorders.prefix(2) { recorder.expectOneEnd() }
                        source.expectCleanups()
                        time.advance(by: 5)
                        trial.expect(flights.count == 0, "\(flights.count) results are left")
                        time.expectEmpty()
                    }
                }, preemptions: 1)
        }

        @Test("cached work ends each start once while its trigger fires")
        func cachedUntil() {
            exhaust(
                Scenario("a start and the trigger of cached(until:)") { trial in
                    let (source, trigger) = (Source<TestFailure>(trial), Source<Never>(trial))
                    let cached = source.producer.cached(until: trigger.producer)
                    let recorders = (0..<2).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                    trial.thread { _ = cached.start(recorders[0]) }
                    trial.thread { _ = cached.start(recorders[1]) }
                    trial.thread {
                        trigger.send(1)
                        source.complete()
                    }
                    trial.finally {
                        for number in 0..<source.starts { source.complete(at: number) }
                        for number in 0..<trigger.starts { trigger.send(1, at: number) }
                        for recorder in recorders { recorder.expectOneEnd() }
                        source.expectCleanups()
                        trigger.expectCleanups()
                    }
                }, preemptions: 1)
        }

        @Test("shared work with a grace period ends once while a start and the timer race")
        func grace() {
            exhaust(
                Scenario("the last start leaves, one comes, and the grace is over") { trial in
                    let source = Source<TestFailure>(trial)
                    let time = HandScheduler(trial)
                    let shared = source.producer.share(
                        replay: 1, while: .observed(grace: .seconds(1), expiry: .seconds(1), on: time))
                    let recorders = (0..<2).map { Recorder<Int, TestFailure>(trial, "observer \($0)") }
                    let starts = (0..<2).map { _ in Held<any Disposable>(nil) }
                    starts[0].value = shared.start(recorders[0])
                    source.send(1)
                    trial.thread { recorders[0].cancel(starts[0].value) }
                    trial.thread { starts[1].value = shared.start(recorders[1]) }
                    trial.thread {
                        time.advance(by: 1)
                        source.send(2, at: 0)
                    }
                    trial.finally {
                        trial.expect(recorders[1].values.first == 1 || recorders[1].values.first == 2, "no replay")
                        recorders[1].cancel(starts[1].value)
                        for _ in 0..<3 { time.advance(by: 1) }
                        for recorder in recorders { recorder.expectOneEnd() }
                        source.expectCleanups()
                        time.expectEmpty()
                        for start in starts { start.value = nil }
                    }
                }, preemptions: 1)
        }

        @Test("a half-open breaker admits one trial, and its property has the last state", arguments: [true, false])
        func breaker(fails: Bool) {
            exhaust(
                Scenario("two starts and the timer of a breaker, the trial \(fails ? "fails" : "completes")") { trial in
                    let time = HandScheduler(trial)
                    let breaker = CircuitBreaker<TestFailure, HandScheduler.Instant>(
                        failures: 1, reset: .constant(.seconds(1)), on: time)
                    let states = Recorder<CircuitBreaker<TestFailure, HandScheduler.Instant>.State, Never>(trial)
                    SignalProducer<Int, TestFailure>(error: TestFailure()).circuitBreaker(breaker).start()
                    breaker.state.signal.observe(states)
                    nonisolated(unsafe) var begun = 0
                    let work = SignalProducer<Int, TestFailure> { observer, _ in
                        begun += 1
                        if fails { observer.sendError(TestFailure()) } else { observer.sendCompleted() }
                    }.circuitBreaker(breaker)
                    trial.thread { time.advance(by: 1) }
                    for _ in 0..<2 { trial.thread { work.start() } }
                    trial.finally {
                        trial.expect(!fails || begun <= 1, "\(begun) trials")
                        let last = states.values.last
                        trial.expect(last == nil || last == breaker.state.value, "the last event is another state")
                        if begun == 0 { trial.expect(breaker.state.value == .halfOpen, "it is not half open") }
                        if begun > 0, !fails { trial.expect(breaker.state.value == .closed, "it has not closed") }
                        time.advance(by: 9)
                        time.expectEmpty()
                    }
                }, preemptions: 1)
        }
    }
}
#endif

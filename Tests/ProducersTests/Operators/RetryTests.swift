import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("retry")
struct RetryTests {
    /// Sends the number of the attempt and fails, up to the attempt that is to succeed.
    private func failing(until success: Int = .max, _ attempts: Counter) -> Numbers {
        Numbers { observer, _ in
            let attempt = attempts.increment()
            observer.sendNext(attempt)
            if attempt < success {
                observer.sendError(attempt % 2 == 1 ? .first : .second)
            } else {
                observer.sendCompleted()
            }
        }
    }

    @Test("makes one attempt more than the count, keeps all values, and forwards the last error", arguments: 0...3)
    func counts(count: Int) {
        let attempts = Counter()
        let log = failing(attempts).retry(upTo: count).logged()
        #expect(log.all == (1...(count + 1)).map(String.init) + ["error \(count % 2 == 0 ? "first" : "second")"])
        expect(attempts.value, is: count + 1)
    }

    @Test("does what its documentation shows")
    func example() {
        let producer = Numbers(value: 1).concat(Numbers(error: .first)).retry(upTo: 2)
        expect(producer.logged().all, is: ["1", "1", "1", "error first"])
    }

    @Test("does not retry after completion or interruption")
    func others() {
        let attempts = Counter()
        expect(failing(until: 2, attempts).retry(upTo: 5).logged().all, is: ["1", "2", "completed"])
        for terminal in [Event<Int, TestError>.completed, .interrupted] {
            let starts = Counter()
            let producer = Numbers { observer, _ in
                starts.increment()
                observer.send(terminal)
            }
            expect(producer.retry(upTo: 3).logged().all, is: [terminal.text])
            expect(starts.value, is: 1)
        }
    }

    @Test("counts attempts separately for each start, also for concurrent starts")
    func perStart() {
        let manual = Manual()
        let producer = manual.producer.retry(upTo: 1)
        let first = producer.logged()
        let firstInput = manual.input
        let second = producer.logged()
        manual.input?.sendError(.first)
        expect(manual.starts.value, is: 3)
        let secondInput = manual.input
        firstInput?.sendError(.first)
        expect(manual.starts.value, is: 4)
        #expect((first.all, second.all) == ([], []))
        manual.input?.sendError(.second)
        secondInput?.sendError(.first)
        #expect((first.all, second.all) == (["error second"], ["error first"]))
        expect(manual.disposals.value, is: 4)
        for _ in 0..<2 { expect(Numbers(error: .first).retry(upTo: 2).logged().all, is: ["error first"]) }
    }

    @Test("runs any number of synchronous attempts in constant stack and memory", .notUnderSanitizers)
    func iterative() {
        onSmallStack("retry") {
            let population = Population()
            let attempts = Counter()
            let most = Locked(0)
            let log = Log<String>()
            SignalProducer<Population.Member, TestError> { observer, lifetime in
                attempts.increment()
                let member = population.member()
                lifetime.observeEnded { member.touch() }
                most.withLock { $0 = max($0, population.alive) }
                observer.sendError(.first)
            }.retry(upTo: manyLevels).start { log.append($0.text) }
            expect(log.all, is: ["error first"])
            expect(attempts.value, is: manyLevels + 1)
            #expect(most.withLock { $0 } <= 3)
            expect(population.alive, is: 0)
            expect(Numbers(error: .second).retry(upTo: manyLevels).logged().all, is: ["error second"])
        }
    }

    @Test(
        "runs any number of attempts in constant stack on a scheduler that runs actions immediately",
        .notUnderSanitizers)
    func iterativeWaits() {
        onSmallStack("waiting") {
            let scheduler = PresentScheduler()
            let log = Numbers(error: .second).retry(upTo: manyLevels, interval: .zero, on: scheduler).logged()
            expect(log.all, is: ["error second"])
            expect(scheduler.runs.value, is: manyLevels)
        }
    }

    @Test("waits for the interval, then retries on the scheduler, and forwards the last error without waiting")
    func waits() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let note: @Sendable (String) -> Void = { text in
            log.append("\(text) at \(scheduler.now)\(CurrentScheduler.value === scheduler ? "" : " outside")")
        }
        Numbers { observer, _ in
            note("attempt")
            observer.sendError(.first)
        }.retry(upTo: 2, interval: .seconds(3), on: scheduler).start { note($0.text) }
        expect(log.all, is: ["attempt at 0.0 seconds outside"])
        scheduler.run()
        expect(
            log.all,
            is: [
                "attempt at 0.0 seconds outside", "attempt at 3.0 seconds", "attempt at 6.0 seconds",
                "error first at 6.0 seconds",
            ])
        expect(
            Numbers(error: .first).retry(upTo: 0, interval: .seconds(1), on: scheduler).logged().all,
            is: ["error first"])
        expect(
            failing(until: 1, Counter()).retry(upTo: 3, interval: .seconds(1), on: scheduler).logged().all,
            is: [
                "1", "completed",
            ])
        scheduler.run()
    }

    @Test("on disposal during a wait interrupts immediately, cancels the timer, and makes no further attempt")
    func duringWait() {
        let scheduler = TestScheduler()
        let attempts = Counter()
        let log = Log<String>()
        let disposable = failing(attempts).on(disposed: { log.append("upstream disposed") })
            .retry(upTo: 5, interval: .seconds(3), on: scheduler)
            .on(disposed: { log.append("disposed") })
            .start { log.append($0.text) }
        scheduler.advance(by: .seconds(4))
        expect(log.all, is: ["1", "upstream disposed", "2", "upstream disposed"])
        disposable.dispose()
        expect(log.all, is: ["1", "upstream disposed", "2", "upstream disposed", "interrupted", "disposed"])
        scheduler.run()
        expect(attempts.value, is: 2)
        expect(log.count, is: 6)
    }

    @Test("does not wait when it is disposed of during the delivery of the error")
    func beforeWait() {
        let scheduler = TestScheduler()
        let attempts = Counter()
        let disposables = Log<any Disposable>()
        let log = failing(attempts).on(error: { _ in disposables.all[0].dispose() })
            .retry(upTo: 5, interval: .seconds(3), on: scheduler)
            .startWithSignal { signal, disposable in
                disposables.append(disposable)
                return signal.logged()
            }
        expect(log.all, is: ["1", "interrupted"])
        scheduler.run()
        expect(attempts.value, is: 1)
    }

    @Test("interrupts at most once and stops when disposal races with the end of a wait")
    func race() {
        for _ in 0..<200 {
            let scheduler = TestScheduler()
            let manual = Manual()
            let start = manual.producer.retry(upTo: 5, interval: .seconds(1), on: scheduler).startLogged()
            manual.input?.sendError(.first)
            onThreads(2, "waiting") { index in
                if index == 0 { start.disposable.dispose() } else { scheduler.advance(by: .seconds(1)) }
            }
            expect(start.log.all, is: ["interrupted"])
            expect(manual.starts.value, is: manual.disposals.value)
            scheduler.run()
            manual.release()
        }
    }

    @Test("holds nothing during a wait once it has been disposed of")
    func releasesWait() {
        let scheduler = TestScheduler()
        let population = Population()
        var disposable: (any Disposable)?
        do {
            let member = population.member()
            disposable = Numbers(error: .first).retry(upTo: 2, interval: .seconds(1), on: scheduler).start { _ in
                member.touch()
            }
        }
        expect(population.alive, is: 1)
        disposable?.dispose()
        disposable = nil
        expect(population.alive, is: 0)
        scheduler.run()
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() {
        expectInterrupts { $0.retry(upTo: 2) }
        expectInterrupts { $0.retry(upTo: 0) }
        expectInterrupts { $0.retry(upTo: 2, interval: .seconds(1), on: TestScheduler()) }
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        expectDoesNotBegin { $0.retry(upTo: 2) }
        expectDoesNotBegin { $0.retry(upTo: 2, interval: .seconds(1), on: TestScheduler()) }
    }

    @Test("stops an endless synchronous source") func stops() { expectStops { $0.retry(upTo: 2) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.on(error: { _ in member.touch() }).retry(upTo: 1) }
    }

    @Test("traps when the count or the interval is negative")
    func negative() async throws {
        let count = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, TestError>.never.retry(upTo: -1)
        }
        count.expectTrap("retry(upTo: -1)")
        let waiting = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, TestError>.never.retry(upTo: -2, interval: .seconds(1), on: QueueScheduler())
        }
        waiting.expectTrap("retry(upTo: -2)")
        let interval = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, TestError>.never.retry(upTo: 1, interval: .seconds(-1), on: QueueScheduler())
        }
        interval.expectTrap("retry(upTo: 1, interval: -1.0 seconds)")
    }
}

/// A scheduler that runs every action immediately, whatever its delay.
private final class PresentScheduler: DelayScheduler {
    let runs = Counter()
    private let clock = TestScheduler()

    var now: TestScheduler.Instant { clock.now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        runs.increment()
        action()
        return nil
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(action)
    }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(action)
    }
}

import Dispatch
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// A scheduler that logs the delays it is given.
private final class NotingScheduler: DelayScheduler {
    let log = Log<[Duration]>()

    var now: SuspendingClock.Instant { .now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { nil }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        log.append([delay, leeway])
        action()
        return nil
    }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        log.append([delay, interval, leeway])
        action()
        return SimpleDisposable()
    }
}

@Suite("DelayScheduler")
struct DelaySchedulerTests {
    @Test("by default uses no leeway for a single run, and a tenth of the interval for a repeated one")
    func leeway() {
        let scheduler = NotingScheduler()
        let runs = Counter()
        let once = scheduler.schedule(after: .seconds(3)) { runs.increment() }
        let often = scheduler.schedule(after: .seconds(1), interval: .seconds(5)) { runs.increment() }
        expect(scheduler.log.all, is: [[.seconds(3), .zero], [.seconds(1), .seconds(5), .milliseconds(500)]])
        expect(runs.value, is: 2)
        #expect(once == nil)
        #expect(often is SimpleDisposable)
    }

    @Test("can be used as an existential")
    func existential() {
        let scheduler: any DelayScheduler = QueueScheduler()
        let done = Latch("existential")
        scheduler.schedule(after: .milliseconds(1)) { done.open() }
        done.wait()
    }

    @Test("a queue scheduler runs a delayed action once, on its queue and not early")
    func after() {
        let scheduler = QueueScheduler()
        let log = Log<String>()
        for milliseconds in [0, 1, 10] {
            let done = Latch("after \(milliseconds) ms")
            let begin = scheduler.now
            let isOnce = OnceFlag()
            scheduler.schedule(after: .milliseconds(milliseconds)) {
                let isEarly = scheduler.now < begin.advanced(by: .milliseconds(milliseconds))
                log.append(
                    "\(isEarly ? "early" : "in time"), \(CurrentScheduler.value === scheduler), \(isOnce.raise())")
                done.open()
            }
            done.wait()
        }
        drain(scheduler)
        expect(log.all, is: Array(repeating: "in time, true, true", count: 3))
    }

    @Test("a queue scheduler runs actions with a nonpositive delay promptly, but not synchronously")
    func notPositive() {
        let scheduler = QueueScheduler()
        let log = Log<String>()
        for delay in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
            let returned = Latch("schedule has not returned")
            let done = Latch("after \(delay)")
            // This would deadlock if it ran synchronously.
            scheduler.schedule(after: delay) {
                returned.wait()
                log.append("ran")
                done.open()
            }
            returned.open()
            done.wait()
            let (repeated, timer) = (Latch("every hour after \(delay)"), SerialDisposable())
            timer.inner = scheduler.schedule(after: delay, interval: .seconds(3_600)) { repeated.open() }
            repeated.wait()
            timer.dispose()
        }
        expect(log.all, is: ["ran", "ran", "ran"])
    }

    @Test("a queue scheduler runs timers and actions one at a time")
    func serial() {
        let scheduler = QueueScheduler(queue: .global())
        // Not atomic: guarded by the scheduler only.
        let state = SinkState(0)
        let done = Latch("two hundred timers")
        for _ in 0..<200 {
            scheduler.schedule(after: .milliseconds(1)) {
                state.value += 1
                if state.value == 400 { done.open() }
            }
            scheduler.schedule {
                state.value += 1
                if state.value == 400 { done.open() }
            }
        }
        done.wait()
        expect(state.value, is: 400)
    }

    @Test("a queue scheduler repeats an action on its queue and never early")
    func interval() {
        let scheduler = QueueScheduler()
        let early = Counter()
        let foreign = Counter()
        let runs = Counter()
        let done = Latch("ten runs")
        let begin = scheduler.now
        let disposable = scheduler.schedule(after: .milliseconds(5), interval: .milliseconds(2)) {
            let earliest = begin.advanced(by: .milliseconds(5 + 2 * runs.value))
            if scheduler.now < earliest { early.increment() }
            if CurrentScheduler.value !== scheduler { foreign.increment() }
            if runs.increment() == 10 { done.open() }
        }
        done.wait()
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        expect(early.value, is: 0)
        expect(foreign.value, is: 0)
    }

    @Test("a queue scheduler does not let the duration of an action delay the next run")
    func noDrift() {
        let scheduler = QueueScheduler()
        let former = Locked<SuspendingClock.Instant?>(nil)
        let isExact = Latch("every run is put off by the one before")
        let disposable = scheduler.schedule(after: .zero, interval: .milliseconds(20), leeway: .zero) {
            let begin = scheduler.now
            let before = former.withLock { former in
                defer { former = begin }
                return former
            }
            // With drift it would always be 30 ms. One undisturbed run is enough.
            if let before, before.duration(to: begin) < .milliseconds(30) { isExact.open() }
            while begin.duration(to: scheduler.now) < .milliseconds(10) {}
        }
        isExact.wait()
        disposable?.dispose()
    }

    @Test("a queue scheduler does not make up for missed runs")
    func missed() {
        let scheduler = QueueScheduler()
        let runs = Counter()
        let begin = scheduler.now
        let done = Latch("runs after a long one")
        let early = Counter()
        let disposable = scheduler.schedule(after: .milliseconds(1), interval: .milliseconds(1), leeway: .zero) {
            let run = runs.increment()
            // Misses fifty runs.
            if run == 1 { while begin.duration(to: scheduler.now) < .milliseconds(51) {} }
            // With made-up runs, the tenth would follow within milliseconds. Instead, one run counts for the missed
            // ones and eight more follow.
            if run == 10 {
                if scheduler.now < begin.advanced(by: .milliseconds(58)) { early.increment() }
                done.open()
            }
        }
        done.wait()
        disposable?.dispose()
        expect(early.value, is: 0)
    }

    @Test("a queue scheduler's timer releases its action when it is disposed of", arguments: [false, true])
    func disposes(isRepeating: Bool) {
        let population = Population()
        let scheduler = QueueScheduler()
        let runs = Counter()
        let disposable = {
            let action = { @Sendable [member = population.member()] in
                member.touch()
                runs.increment()
            }
            return isRepeating
                ? scheduler.schedule(after: .seconds(1_000), interval: .seconds(1), action)
                : scheduler.schedule(after: .seconds(1_000), action)
        }()
        expect(population.alive, is: 1)
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
        expect(runs.value, is: 0)
    }

    @Test(
        "a queue scheduler drops a due run that is disposed of while it waits for the queue", arguments: [false, true])
    func dropsQueued(isRepeating: Bool) {
        let population = Population()
        let scheduler = QueueScheduler()
        let runs = Counter()
        let mayGoOn = Latch("the queue is occupied")
        scheduler.schedule { mayGoOn.wait() }
        let disposable = {
            let action = { @Sendable [member = population.member()] in
                member.touch()
                runs.increment()
            }
            return isRepeating
                ? scheduler.schedule(after: .zero, interval: .milliseconds(1), action)
                : scheduler.schedule(after: .zero, action)
        }()
        // A later timer on another queue: when it fires, this one waits for its queue.
        let isDue = Latch("later timer")
        QueueScheduler().schedule(after: .milliseconds(10)) { isDue.open() }
        isDue.wait()
        disposable?.dispose()
        expect(population.alive, is: 0)
        mayGoOn.open()
        drain(scheduler)
        expect(runs.value, is: 0)
    }

    @Test("a queue scheduler's timer can be disposed of from inside its action, which then does not repeat")
    func disposedInside() {
        let population = Population()
        let scheduler = QueueScheduler()
        let runs = Counter()
        let isKnown = Latch("the timer is not known")
        let done = Latch("three runs")
        let disposable = SerialDisposable()
        // This thread can sleep for more than three intervals before it stores the timer.
        scheduler.schedule { isKnown.wait() }
        disposable.inner = scheduler.schedule(after: .milliseconds(1), interval: .milliseconds(1)) {
            [member = population.member()] in
            member.touch()
            guard runs.increment() == 3 else { return }
            disposable.dispose()
            done.open()
        }
        isKnown.open()
        done.wait()
        let isLater = Latch("later timer")
        scheduler.schedule(after: .milliseconds(5)) { isLater.open() }
        isLater.wait()
        expect(runs.value, is: 3)
        expect(population.alive, is: 0)
    }

    @Test("a queue scheduler's unretained timer keeps running, and releases its scheduler when stopped")
    func releases() {
        let released = Latch("the scheduler is not released")
        final class Probe: Sendable {
            let released: Latch

            init(_ released: Latch) { self.released = released }

            deinit { released.open() }
        }
        weak var weakly: QueueScheduler?
        do {
            let scheduler = QueueScheduler()
            weakly = scheduler
            let disposable = SerialDisposable()
            let runs = Counter()
            let done = Latch("five runs")
            disposable.inner = scheduler.schedule(after: .zero, interval: .milliseconds(1)) {
                [probe = Probe(released)] in
                withExtendedLifetime(probe) {}
                if runs.increment() == 5 {
                    disposable.dispose()
                    done.open()
                }
            }
            done.wait()
        }
        released.wait()
        // The timer releases the last reference on its own thread, a moment later.
        #expect(becomesTrue { weakly == nil })
    }

    @Test("a queue scheduler's clock never goes back")
    func clock() {
        let scheduler = QueueScheduler()
        var former = scheduler.now
        for _ in 0..<1_000 {
            let now = scheduler.now
            #expect(now >= former)
            former = now
        }
    }

    @Test("a queue scheduler traps unless the interval is positive")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            QueueScheduler().schedule(after: .zero, interval: .zero) {}
        }
        zero.expectTrap("QueueScheduler.schedule(interval: 0.0 seconds): the interval must be positive")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            QueueScheduler().schedule(after: .zero, interval: .seconds(-1), leeway: .zero) {}
        }
        negative.expectTrap("QueueScheduler.schedule(interval: -1.0 seconds): the interval must be positive")
    }

    /// Returns when everything scheduled before has run.
    private func drain(_ scheduler: QueueScheduler) {
        let drained = Latch("the queue is not drained")
        scheduler.schedule { drained.open() }
        drained.wait()
    }
}

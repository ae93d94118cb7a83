import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// The schedulers on which recursion must be iterative.
enum Kind: CaseIterable, Sendable {
    case immediate
    case trampoline
    case queue
    case test
}

@Suite("scheduleRecursive")
struct SchedulerRecursiveTests {
    /// Schedules the recursion, runs it to its end, and returns the disposable.
    @discardableResult
    private func run(
        on kind: Kind, _ action: @escaping @Sendable (_ reschedule: @escaping @Sendable () -> Void) -> Void
    ) -> (any Disposable)? {
        switch kind {
        case .immediate: return ImmediateScheduler().scheduleRecursive(action)
        case .trampoline: return TrampolineScheduler().scheduleRecursive(action)
        case .test:
            let scheduler = TestScheduler()
            let disposable = scheduler.scheduleRecursive(action)
            scheduler.run()
            return disposable
        case .queue:
            let scheduler = QueueScheduler()
            // The number of runs in progress or queued; at zero, the recursion is over.
            let open = Locked(1)
            let done = Latch("recursion on a queue")
            let finishOne: @Sendable () -> Void = {
                let isLast = open.withLock { count in
                    count -= 1
                    return count == 0
                }
                if isLast { done.open() }
            }
            let disposable = scheduler.scheduleRecursive { reschedule in
                action {
                    open.withLock { $0 += 1 }
                    reschedule()
                }
                finishOne()
            }
            done.wait()
            return disposable
        }
    }

    @Test("runs once if reschedule is not called", arguments: Kind.allCases)
    func once(kind: Kind) {
        let runs = Counter()
        run(on: kind) { _ in runs.increment() }
        expect(runs.value, is: 1)
    }

    @Test("runs many times on a small stack", .notUnderSanitizers, arguments: Kind.allCases)
    func many(kind: Kind) {
        onSmallStack("recursion") {
            let runs = Counter()
            run(on: kind) { reschedule in
                if runs.increment() < manyLevels { reschedule() }
            }
            expect(runs.value, is: manyLevels)
        }
    }

    @Test("runs once per call of reschedule, even for several calls in one run", arguments: Kind.allCases)
    func several(kind: Kind) {
        let runs = Counter()
        run(on: kind) { reschedule in
            // The first 7 runs reschedule twice each: 15 runs in all.
            if runs.increment() < 8 {
                reschedule()
                reschedule()
            }
        }
        expect(runs.value, is: 15)
    }

    @Test("never runs nested", arguments: Kind.allCases)
    func neverNested(kind: Kind) {
        let log = Log<String>()
        let runs = Counter()
        run(on: kind) { reschedule in
            let number = runs.increment()
            log.append("begin \(number)")
            if number < 3 { reschedule() }
            log.append("end \(number)")
        }
        #expect(log.all == (1...3).flatMap { ["begin \($0)", "end \($0)"] })
    }

    @Test("appends each rescheduled run to the scheduler's queue")
    func atTheEnd() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let runs = Counter()
        scheduler.scheduleRecursive { reschedule in
            log.append("run")
            if runs.increment() < 3 { reschedule() }
        }
        scheduler.schedule { log.append("another") }
        scheduler.advance()
        expect(log.all, is: ["run", "another", "run", "run"])
    }

    @Test("stops when it is disposed of from inside a run that reschedules before and after")
    func disposedInside() {
        for kind in [Kind.trampoline, .test] {
            let scheduler: any Scheduler = kind == .test ? TestScheduler() : TrampolineScheduler()
            let runs = Counter()
            let serial = SerialDisposable()
            let start: @Sendable () -> Void = {
                serial.inner = scheduler.scheduleRecursive { reschedule in
                    reschedule()
                    if runs.increment() == 3 { serial.dispose() }
                    reschedule()
                }
            }
            // Inside an action of the trampoline, so that the disposable is set before the first run.
            scheduler.schedule(start)
            (scheduler as? TestScheduler)?.run()
            expect(runs.value, is: 3)
        }
    }

    @Test("drops a scheduled run when it is disposed of, and releases its action")
    func disposedBetween() {
        let population = Population()
        let scheduler = TestScheduler()
        let runs = Counter()
        let disposable = scheduler.scheduleRecursive { [member = population.member()] reschedule in
            member.touch()
            runs.increment()
            reschedule()
        }
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
        scheduler.run()
        expect(runs.value, is: 0)
    }

    @Test("ignores calls of a retained reschedule after the disposal")
    func keptAfterDisposal() {
        let scheduler = TestScheduler()
        let runs = Counter()
        let kept = Log<@Sendable () -> Void>()
        let disposable = scheduler.scheduleRecursive { reschedule in
            runs.increment()
            kept.append(reschedule)
        }
        scheduler.run()
        kept.all[0]()
        kept.all[0]()
        scheduler.run()
        expect(runs.value, is: 3)
        disposable?.dispose()
        kept.all[0]()
        scheduler.run()
        expect(runs.value, is: 3)
    }

    @Test("can be rescheduled from several threads without losing runs", arguments: [Kind.immediate, .trampoline])
    func threads(kind: Kind) {
        let runs = Counter()
        let kept = Log<@Sendable () -> Void>()
        let recursion = run(on: kind) { reschedule in
            if runs.increment() == 1 { kept.append(reschedule) }
        }
        onThreads(4, "rescheduling") { _ in
            for _ in 0..<250 { kept.all[0]() }
        }
        expect(runs.value, is: 1_001)
        // The retained closure belongs to the log that retains it.
        recursion?.dispose()
    }

    @Test("disposes of a scheduled run if it is disposed of while that is being scheduled")
    func disposedWhileScheduling() {
        /// Disposes of the recursion while it is being scheduled.
        final class Interfering: Scheduler {
            let given = SimpleDisposable()
            let recursion = SerialDisposable()
            let kept = Log<@Sendable () -> Void>()

            func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
                kept.append(action)
                if kept.count == 2 { recursion.dispose() }
                return given
            }
        }
        let scheduler = Interfering()
        let runs = Counter()
        scheduler.recursion.inner = scheduler.scheduleRecursive { reschedule in
            runs.increment()
            reschedule()
        }
        #expect(!scheduler.given.isDisposed)
        scheduler.kept.all[0]()
        #expect(scheduler.given.isDisposed)
        scheduler.kept.all[1]()
        expect(runs.value, is: 1)
        scheduler.kept.removeAll()
    }

    @Test("releases a scheduler's disposables outside its lock")
    func releasedOutsideTheLock() {
        /// Reads the recursion's state when it is released.
        final class Ticket: Disposable {
            let recursion: SerialDisposable
            let released: Counter

            init(_ recursion: SerialDisposable, _ released: Counter) {
                self.recursion = recursion
                self.released = released
            }

            deinit {
                if recursion.inner?.isDisposed == false { released.increment() }
            }

            var isDisposed: Bool { false }
            func dispose() {}
        }
        final class Giving: Scheduler {
            let recursion = SerialDisposable()
            let released = Counter()
            let kept = Log<@Sendable () -> Void>()

            func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
                kept.append(action)
                return Ticket(recursion, released)
            }
        }
        let scheduler = Giving()
        scheduler.recursion.inner = scheduler.scheduleRecursive { $0() }
        TestThread("recursion") {
            for run in 0..<3 { scheduler.kept.all[run]() }
        }.join()
        expect(scheduler.released.value, is: 3)
        scheduler.recursion.dispose()
        scheduler.kept.removeAll()
    }
}

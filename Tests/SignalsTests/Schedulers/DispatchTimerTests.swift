import HotSignals
import ReactiveSignals
import TestSupport
import Testing

// The type is internal; a queue scheduler's timers are what it is for.

@Suite("DispatchTimer")
struct DispatchTimerTests {
    private let scheduler = QueueScheduler(name: "DispatchTimer")

    /// Returns when a later timer has gone off.
    private func wait(_ duration: Duration) {
        let isDue = Latch("later timer")
        scheduler.schedule(after: duration) { isDue.open() }
        isDue.wait()
    }

    @Test("that runs once is disposed of once it runs, and releases its action")
    func once() {
        let population = Population()
        let runs = Counter()
        let own = SerialDisposable()
        let log = Log<Bool>()
        let mayRun = Latch("the timer is not known yet")
        let disposable = scheduler.schedule(after: .zero) { [member = population.member()] in
            member.touch()
            mayRun.wait()
            log.append(own.inner?.isDisposed ?? false)
            runs.increment()
        }
        own.inner = disposable
        mayRun.open()
        wait(.milliseconds(2))
        expect(runs.value, is: 1)
        expect(log.all, is: [true])
        expect(disposable?.isDisposed, is: true)
        expect(population.alive, is: 0)
        disposable?.dispose()
        wait(.milliseconds(2))
        expect(runs.value, is: 1)
    }

    @Test("goes off although nobody holds it")
    func unheld() {
        let done = Latch("a timer that nobody holds")
        scheduler.schedule(after: .milliseconds(2)) { done.open() }
        done.wait()
    }

    @Test("that repeats is not disposed of between its runs, and holds its action")
    func repeats() {
        let population = Population()
        let runs = Counter()
        let done = Latch("three runs")
        let disposable = scheduler.schedule(after: .zero, interval: .milliseconds(1)) {
            [member = population.member()] in
            member.touch()
            if runs.increment() == 3 { done.open() }
        }
        done.wait()
        expect(disposable?.isDisposed, is: false)
        expect(population.alive, is: 1)
        disposable?.dispose()
        // A run may be under way, which keeps the action until it is over.
        wait(.zero)
        wait(.zero)
        expect(population.alive, is: 0)
    }

    @Test("waits its delay before the first of many runs")
    func delay() {
        let done = Latch("first run")
        let log = Log<Bool>()
        let begin = scheduler.now
        let disposable = scheduler.schedule(after: .milliseconds(10), interval: .milliseconds(1)) { [scheduler] in
            log.append(scheduler.now >= begin.advanced(by: .milliseconds(10)))
            done.open()
        }
        done.wait()
        disposable?.dispose()
        #expect(!log.all.contains(false))
    }

    @Test("goes off when it may be late")
    func leeway() {
        for leeway in [Duration.nanoseconds(1), .milliseconds(1), .milliseconds(20)] {
            let done = Latch("leeway of \(leeway)")
            let begin = scheduler.now
            let log = Log<Bool>()
            scheduler.schedule(after: .milliseconds(1), leeway: leeway) { [scheduler] in
                log.append(scheduler.now >= begin.advanced(by: .milliseconds(1)))
                done.open()
            }
            done.wait()
            expect(log.all, is: [true])
        }
    }

    @Test("takes times beyond what the system knows, and does not go off")
    func beyond() {
        let population = Population()
        for duration in [Duration.nanoseconds(Int64.max - 1), .nanoseconds(Int64.max), .seconds(Int64.max)] {
            let runs = Counter()
            let once = scheduler.schedule(after: duration) { [member = population.member()] in
                member.touch()
                runs.increment()
            }
            let often = scheduler.schedule(after: duration, interval: duration, leeway: .zero) {
                [member = population.member()] in
                member.touch()
                runs.increment()
            }
            wait(.milliseconds(2))
            expect(runs.value, is: 0)
            expect(once?.isDisposed, is: false)
            once?.dispose()
            often?.dispose()
        }
        expect(population.alive, is: 0)
    }

    @Test("goes off first although its interval is beyond what the system knows")
    func longInterval() {
        for interval in [Duration.nanoseconds(Int64.max - 1), .seconds(Int64.max)] {
            let runs = Counter()
            let done = Latch("first of few")
            let disposable = scheduler.schedule(after: .zero, interval: interval) {
                runs.increment()
                done.open()
            }
            done.wait()
            wait(.milliseconds(2))
            expect(runs.value, is: 1)
            disposable?.dispose()
        }
    }

    @Test("with an interval of less than a nanosecond does not trap")
    func shortInterval() {
        let done = Latch("a run")
        let interval = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let disposable = scheduler.schedule(after: .zero, interval: interval) { done.open() }
        done.wait()
        disposable?.dispose()
        wait(.zero)
    }

    @Test("takes a negative leeway for none")
    func negativeLeeway() async {
        await #expect(processExitsWith: .success) {
            let done = Latch("negative leeway")
            QueueScheduler().schedule(after: .milliseconds(1), leeway: .milliseconds(-1)) { done.open() }
            done.wait()
        }
    }

    @Test("either runs or is released when its disposal races with its time")
    func race() {
        for _ in 0..<500 {
            let population = Population()
            let runs = Counter()
            let disposable = scheduler.schedule(after: .zero) { [member = population.member()] in
                member.touch()
                runs.increment()
            }
            disposable?.dispose()
            let isRunning = runs.value
            expect(disposable?.isDisposed, is: true)
            wait(.zero)
            wait(.zero)
            expect(population.alive, is: 0)
            #expect(runs.value <= 1)
            #expect(runs.value >= isRunning)
        }
    }
}

import HotSignals
import ReactiveSignals
import TestSupport
import Testing

// The type is internal: it is the timer of a queue scheduler.

@Suite("QueueTimer")
struct QueueTimerTests {
    private let scheduler = QueueScheduler(name: "QueueTimer")

    /// Returns when a later timer has fired.
    private func wait(_ duration: Duration) {
        let isDue = Latch("later timer")
        scheduler.schedule(after: duration) { isDue.open() }
        isDue.wait()
    }

    @Test("a one-shot timer is disposed of when it runs, and releases its action")
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

    @Test("fires even if nothing retains it")
    func unheld() {
        let done = Latch("a timer that nobody holds")
        scheduler.schedule(after: .milliseconds(2)) { done.open() }
        done.wait()
    }

    @Test("a repeating timer retains its action, and is not disposed of, between runs")
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
        // A run may be in progress, which retains the action until it returns.
        wait(.zero)
        wait(.zero)
        expect(population.alive, is: 0)
    }

    @Test("a repeating timer waits for its delay before the first run")
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

    @Test("fires not before its delay for any leeway")
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

    @Test("accepts delays beyond the system's limit, and does not fire")
    func beyond() {
        let population = Population()
        let greatest = Duration(attoseconds: .max)
        for duration in [Duration.nanoseconds(Int64.max - 1), .nanoseconds(Int64.max), .seconds(Int64.max), greatest] {
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

    @Test("fires the first time even if its interval is beyond the system's limit")
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

    @Test("does not trap for an interval of less than a nanosecond")
    func shortInterval() {
        let done = Latch("a run")
        let interval = Duration(secondsComponent: 0, attosecondsComponent: 1)
        let disposable = scheduler.schedule(after: .zero, interval: interval) { done.open() }
        done.wait()
        disposable?.dispose()
        wait(.zero)
    }

    @Test("treats a negative leeway as zero")
    func negativeLeeway() async {
        await #expect(processExitsWith: .success) {
            let done = Latch("negative leeway")
            QueueScheduler().schedule(after: .milliseconds(1), leeway: .milliseconds(-1)) { done.open() }
            done.wait()
        }
    }

    @Test("runs at most once and releases its action when disposal races with firing")
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

    @Test("runs actions in the order in which they are due, whatever their leeways")
    func order() {
        let log = Log<Int>()
        let done = Latch("the last action")
        // Sets the timer when all are there, so that many are due at the same time.
        let isOccupied = Latch("all are scheduled")
        scheduler.schedule { isOccupied.wait() }
        // On a slow machine, one that is scheduled later is also due later than its delay says.
        var due: [ClosedRange<SuspendingClock.Instant>] = []
        for delay in [5, 1, 4, 2, 3].map({ Duration.milliseconds($0) }) {
            for leeway in [Duration.zero, .milliseconds(7)] {
                let (number, before) = (due.count, scheduler.now)
                scheduler.schedule(after: delay, leeway: leeway) { log.append(number) }
                due.append(before.advanced(by: delay)...scheduler.now.advanced(by: delay))
            }
        }
        scheduler.schedule(after: .milliseconds(20)) { done.open() }
        isOccupied.open()
        done.wait()
        let order = log.all
        expect(order.sorted(), is: Array(due.indices))
        for (place, number) in order.enumerated() {
            for later in order[place...] { #expect(due[number].lowerBound <= due[later].upperBound, "\(order)") }
        }
    }

    @Test("is set again for an action that is due before all others")
    func earlier() {
        let done = Latch("the earlier action")
        let last = scheduler.schedule(after: .seconds(1_000)) {}
        let lenient = scheduler.schedule(after: .milliseconds(1), leeway: .seconds(1_000)) {}
        scheduler.schedule(after: .milliseconds(2)) { done.open() }
        done.wait()
        lenient?.dispose()
        last?.dispose()
    }

    @Test("fires for those that are left when the first ones have been disposed of", arguments: [1, 100])
    func left(count: Int) {
        let population = Population()
        let done = Latch("the action that is left")
        let first = (0..<count).map { number in
            scheduler.schedule(after: .milliseconds(1 + number % 3)) { [member = population.member()] in
                member.touch()
            }
        }
        scheduler.schedule(after: .milliseconds(5)) { done.open() }
        for disposable in first { disposable?.dispose() }
        done.wait()
        expect(population.alive, is: 0)
    }

    @Test("lets what is waiting in the queue run between actions that schedule each other without a delay")
    func fair() {
        let runs = Counter()
        let isOver = Counter()
        let done = Latch("an action of the queue")
        @Sendable func again() {
            if runs.increment() == 1 {
                scheduler.schedule {
                    isOver.increment()
                    done.open()
                }
            }
            if isOver.value == 0 { scheduler.schedule(after: .zero) { again() } }
        }
        scheduler.schedule(after: .zero) { again() }
        done.wait()
    }

    @Test("runs an action that repeats once for the instants that pass while others run")
    func slow() {
        let log = Log<SuspendingClock.Instant>()
        let (isOccupied, isOver) = (Latch("all are scheduled"), Latch("two runs"))
        let interval = Duration.milliseconds(20)
        scheduler.schedule { isOccupied.wait() }
        let mayBegin = scheduler.now
        let end = mayBegin.advanced(by: interval * 5.5)
        // Due before the other one, and as long as several of its intervals.
        scheduler.schedule(after: .zero) { [scheduler] in while scheduler.now < end {} }
        let repeated = scheduler.schedule(after: .zero, interval: interval, leeway: .zero) { [scheduler] in
            log.append(scheduler.now)
            if log.count == 2 { isOver.open() }
        }
        let hasBegun = scheduler.now
        isOccupied.open()
        isOver.wait()
        repeated?.dispose()
        // The first instant after the first run, at the earliest.
        let passed = (hasBegun.duration(to: log.all[0]) / interval).rounded(.down)
        #expect(log.all[1] >= mayBegin.advanced(by: interval * (passed + 1)), "\(log.all), \(mayBegin)")
    }

    @Test("does not keep its scheduler alive when no action is left")
    func release() {
        weak var released: QueueScheduler?
        do {
            let scheduler = QueueScheduler()
            released = scheduler
            let late = scheduler.schedule(after: .seconds(1_000)) {}
            let repeated = scheduler.schedule(after: .seconds(1_000), interval: .seconds(1)) {}
            late?.dispose()
            repeated?.dispose()
        }
        #expect(released == nil)
    }

    @Test("runs every action once when threads schedule and dispose beside each other")
    func threads() {
        let scheduler = scheduler
        let (runs, disposed) = (Counter(), Counter())
        let count = 400
        onThreads(4, "schedule and dispose") { _ in
            for number in 0..<count {
                let action = scheduler.schedule(after: .microseconds(number % 7 * 100)) { runs.increment() }
                if number.isMultiple(of: 2) {
                    // What has run by now or begins to, has been counted or will be.
                    action?.dispose()
                    disposed.increment()
                }
            }
        }
        // The timers of the others are due before this one, so they have run.
        wait(.milliseconds(2))
        #expect(runs.value >= 2 * count)
        #expect(runs.value <= 2 * count + disposed.value)
    }
}

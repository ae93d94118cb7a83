import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("TestScheduler")
struct TestSchedulerTests {
    private typealias Instant = TestScheduler.Instant

    @Test("starts at zero, and does not advance by itself")
    func beginning() {
        let scheduler = TestScheduler()
        expect(scheduler.now, is: Instant(offset: .zero))
        scheduler.advance()
        scheduler.run()
        expect(scheduler.now, is: Instant(offset: .zero))
    }

    @Test("runs nothing before the time advances")
    func nothingBefore() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        let disposable = scheduler.schedule { log.append(1) }
        expect(disposable?.isDisposed, is: false)
        #expect(log.all.isEmpty)
        scheduler.advance()
        expect(log.all, is: [1])
        expect(disposable?.isDisposed, is: true)
    }

    @Test("runs actions at their instants, in order")
    func instants() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        for delay in [3, 1, 2, 5] {
            scheduler.schedule(after: .seconds(delay)) { log.append("\(delay) at \(scheduler.now)") }
        }
        scheduler.advance(by: .seconds(3))
        expect(log.all, is: ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
        expect(scheduler.now.offset, is: .seconds(3))
        scheduler.advance(by: .milliseconds(1_999))
        expect(log.all.count, is: 3)
        scheduler.advance(by: .milliseconds(1))
        expect(log.all.last, is: "5 at 5.0 seconds")
    }

    @Test("runs actions of one instant in the order in which they were scheduled")
    func stable() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        for number in 0..<1_000 {
            scheduler.schedule(after: .seconds(number % 3)) { log.append(number) }
        }
        scheduler.run()
        let expected = (0..<3).flatMap { second in (0..<1_000).filter { $0 % 3 == second } }
        expect(log.all, is: expected)
    }

    @Test("runs actions of one instant in order even if they were scheduled at different times")
    func stableByDifferentWays() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        scheduler.schedule(after: .seconds(2)) { log.append("a") }
        scheduler.advance(by: .seconds(1))
        scheduler.schedule(after: .seconds(1)) { log.append("b") }
        scheduler.schedule { log.append("now") }
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: ["now", "a", "b"])
    }

    @Test("runs due actions that are scheduled while the time advances")
    func whileAdvancing() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        scheduler.schedule(after: .seconds(1)) {
            log.append("1")
            scheduler.schedule { log.append("1 again at \(scheduler.now)") }
            scheduler.schedule(after: .seconds(1)) { log.append("2") }
            scheduler.schedule(after: .seconds(2)) { log.append("3") }
        }
        scheduler.schedule(after: .seconds(1)) { log.append("1 other") }
        scheduler.advance(by: .seconds(2))
        expect(log.all, is: ["1", "1 other", "1 again at 1.0 seconds", "2"])
        scheduler.advance(by: .seconds(1))
        expect(log.all.last, is: "3")
    }

    @Test("advances to an instant, and runs due actions when that is the present")
    func advanceTo() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        scheduler.schedule(after: .seconds(2)) { log.append(2) }
        scheduler.advance(to: Instant(offset: .seconds(1)))
        #expect(log.all.isEmpty)
        scheduler.advance(to: Instant(offset: .seconds(2)))
        expect(log.all, is: [2])
        scheduler.schedule { log.append(3) }
        scheduler.advance(to: scheduler.now)
        expect(log.all, is: [2, 3])
        expect(scheduler.now.offset, is: .seconds(2))
    }

    @Test("runs all actions, up to the instant of the last one")
    func runAll() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        scheduler.schedule(after: .seconds(100)) {
            log.append(1)
            scheduler.schedule(after: .seconds(11)) { log.append(2) }
        }
        scheduler.run()
        expect(log.all, is: [1, 2])
        expect(scheduler.now.offset, is: .seconds(111))
    }

    @Test("repeats actions without drift, at their instants, for any steps of the time")
    func repeats() {
        let scheduler = TestScheduler()
        let log = Log<Duration>()
        let disposable = scheduler.schedule(after: .seconds(1), interval: .milliseconds(300)) {
            log.append(scheduler.now.offset)
        }
        scheduler.advance(by: .milliseconds(1_700))
        expect(log.all, is: [.seconds(1), .milliseconds(1_300), .milliseconds(1_600)])
        scheduler.advance(by: .milliseconds(100))
        scheduler.advance(by: .seconds(300))
        #expect(log.all == (0..<log.all.count).map { .milliseconds(1_000 + 300 * $0) })
        expect(log.all.count, is: 1_003)
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        scheduler.advance(by: .seconds(10))
        expect(log.all.count, is: 1_003)
        scheduler.run()
    }

    @Test("stops a repeating action that is disposed of from inside")
    func disposedInside() {
        let scheduler = TestScheduler()
        let serial = SerialDisposable()
        let log = Log<Int>()
        serial.inner = scheduler.schedule(after: .zero, interval: .seconds(1)) {
            log.append(log.all.count)
            if log.all.count == 3 { serial.dispose() }
        }
        scheduler.run()
        expect(log.all, is: [0, 1, 2])
    }

    @Test("runs a repeating action before actions that it schedules for the same instant")
    func repetitionOrder() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let disposable = scheduler.schedule(after: .zero, interval: .seconds(1)) {
            log.append("tick")
            scheduler.schedule(after: .seconds(1)) { log.append("after") }
        }
        scheduler.advance(by: .seconds(2))
        expect(log.all, is: ["tick", "tick", "after", "tick", "after"])
        disposable?.dispose()
    }

    @Test("runs repeating actions that are due at the same instant in the order in which they were scheduled")
    func meetings() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let timers = CompositeDisposable()
        for interval in [1, 2, 3] {
            timers.add(
                scheduler.schedule(after: .seconds(interval), interval: .seconds(interval)) {
                    log.append("\(interval) at \(scheduler.now.offset.components.seconds)")
                })
        }
        scheduler.schedule(after: .seconds(6)) { log.append("once") }
        // Removes the disposed actions while the others wait.
        for _ in 0..<40 { scheduler.schedule(after: .seconds(5)) {}?.dispose() }
        scheduler.advance(by: .seconds(6))
        expect(
            log.all,
            is: [
                "1 at 1", "1 at 2", "2 at 2", "1 at 3", "3 at 3", "1 at 4", "2 at 4", "1 at 5", "1 at 6", "2 at 6",
                "3 at 6", "once",
            ])
        timers.dispose()
        scheduler.run()
        expect(scheduler.entries, is: 0)
    }

    @Test("runs a repeating action once for the runs that it misses because it advances the time")
    func missedRuns() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let (runs, isInside, timer) = (Counter(), Locked(false), SerialDisposable())
        timer.inner = scheduler.schedule(after: .seconds(10), interval: .seconds(10)) {
            let wasInside = isInside.withLock { isInside in
                defer { isInside = true }
                return isInside
            }
            #expect(!wasInside, "runs inside itself")
            log.append("\(scheduler.now)")
            switch runs.increment() {
            case 1: scheduler.advance(by: .seconds(35))
            case 3: scheduler.run()
            case 4: timer.dispose()
            default: break
            }
            isInside.withLock { $0 = false }
        }
        scheduler.schedule(after: .seconds(20)) { log.append("other at \(scheduler.now)") }
        scheduler.advance(by: .seconds(10))
        expect(log.all, is: ["10.0 seconds", "other at 20.0 seconds", "45.0 seconds"])
        scheduler.run()
        expect(log.all.suffix(2), is: ["50.0 seconds", "60.0 seconds"])
    }

    @Test("does not run an action that is disposed of, and releases it at once")
    func disposed() {
        final class Held: Sendable {}
        let scheduler = TestScheduler()
        let log = Log<Int>()
        weak var weakly: Held?
        var disposable: (any Disposable)?
        do {
            let held = Held()
            weakly = held
            disposable = scheduler.schedule(after: .seconds(1)) {
                withExtendedLifetime(held) { log.append(1) }
            }
        }
        #expect(weakly != nil)
        disposable?.dispose()
        disposable?.dispose()
        #expect(weakly == nil)
        scheduler.run()
        #expect(log.all.isEmpty)
    }

    @Test("keeps no more entries of disposed actions than of pending ones")
    func compaction() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        for number in 0..<100 {
            scheduler.schedule(after: .seconds(200 - number % 2)) { log.append(number) }
            for _ in 0..<300 { scheduler.schedule(after: .seconds(300)) {}?.dispose() }
            #expect(scheduler.entries <= 2 * (number + 1) + 20)
        }
        // Disposes of many at once.
        let many = (0..<10_000).map { scheduler.schedule(after: .seconds($0 % 7), interval: .seconds(1)) {} }
        #expect(scheduler.entries >= 10_100)
        for disposable in many {
            disposable?.dispose()
            disposable?.dispose()
        }
        #expect(scheduler.entries <= 220)
        scheduler.run()
        // The pending actions keep their order.
        #expect(log.all == (0..<100).filter { $0 % 2 == 1 } + (0..<100).filter { $0 % 2 == 0 })
        expect(scheduler.entries, is: 0)
    }

    @Test("keeps no entries of cancelled sleeps")
    func cancelledSleep() async {
        let scheduler = TestScheduler()
        for _ in 0..<500 {
            let sleep = Task { try await Task.sleep(for: .seconds(1), clock: scheduler) }
            sleep.cancel()
            _ = await sleep.result
        }
        #expect(scheduler.entries <= 40)
    }

    @Test("loses no action when others are disposed of while another thread advances the time")
    func disposalRace() {
        for _ in 0..<300 {
            let scheduler = TestScheduler()
            let runs = Counter()
            onThreads(3, "disposals") { thread in
                for number in 0..<40 {
                    if thread == 0 {
                        scheduler.schedule(after: .seconds(number)) { runs.increment() }
                        scheduler.advance(by: .seconds(1))
                    } else {
                        scheduler.schedule(after: .seconds(number + 100)) {}?.dispose()
                    }
                }
            }
            scheduler.run()
            expect(runs.value, is: 40)
        }
    }

    @Test("is not retained by its scheduled actions")
    func life() {
        let population = Population()
        var scheduler: TestScheduler? = TestScheduler()
        let disposable = scheduler?.schedule(after: .seconds(1)) { [member = population.member()] in member.touch() }
        weak let released = scheduler
        scheduler = nil
        #expect(released == nil)
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("does not run an action that another one of the same instant disposes of")
    func disposedByPeer() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        let serial = SerialDisposable()
        scheduler.schedule { serial.dispose() }
        serial.inner = scheduler.schedule { log.append(1) }
        scheduler.run()
        #expect(log.all.isEmpty)
    }

    @Test("can be advanced from inside an action")
    func movedInside() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        scheduler.schedule(after: .seconds(1)) {
            log.append("1")
            scheduler.advance(by: .seconds(2))
            log.append("1 at \(scheduler.now)")
        }
        scheduler.schedule(after: .seconds(2)) { log.append("2") }
        scheduler.schedule(after: .seconds(4)) { log.append("4") }
        scheduler.advance(by: .seconds(1))
        expect(log.all, is: ["1", "2", "1 at 3.0 seconds"])
        expect(scheduler.now.offset, is: .seconds(3))
        scheduler.run()
        expect(log.all.last, is: "4")
    }

    @Test("is the current scheduler inside its actions")
    func current() {
        let scheduler = TestScheduler()
        let log = Log<Bool>()
        scheduler.schedule { log.append(CurrentScheduler.value === scheduler) }
        let timer = scheduler.schedule(after: .zero, interval: .seconds(1)) {
            log.append(CurrentScheduler.value === scheduler)
        }
        scheduler.advance()
        timer?.dispose()
        expect(log.all, is: [true, true])
    }

    @Test("runs each action once, one at a time, when several threads schedule and advance")
    func threads() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        let inside = Log<Int>()
        let outside = Log<Int>()
        let overlaps = Log<Int>()
        onThreads(4, "scheduling") { index in
            for round in 0..<200 {
                scheduler.schedule(after: .milliseconds(round % 5)) {
                    inside.append(0)
                    if inside.all.count != outside.all.count + 1 { overlaps.append(0) }
                    log.append(index * 1_000 + round)
                    outside.append(0)
                }
                if round.isMultiple(of: 3) { scheduler.run() } else { scheduler.advance() }
            }
        }
        scheduler.run()
        #expect(overlaps.all.isEmpty)
        #expect(log.all.sorted() == (0..<4).flatMap { index in (0..<200).map { index * 1_000 + $0 } })
    }

    @Test("blocks a thread that advances the time while another one does so")
    func parked() {
        let scheduler = TestScheduler()
        let (isInside, goOn) = (Latch("the action"), Latch("the other thread"))
        scheduler.schedule(after: .seconds(1)) {
            isInside.open()
            goOn.wait()
        }
        let first = TestThread("first mover") { scheduler.advance(by: .seconds(1)) }
        isInside.wait()
        let second = TestThread("second mover") { scheduler.advance(by: .seconds(2)) }
        second.waitUntilAsleep()
        expect(scheduler.now.offset, is: .seconds(1))
        goOn.open()
        first.join()
        second.join()
        expect(scheduler.now.offset, is: .seconds(3))
    }

    @Test("ends the process with a message when an action waits for a thread that moves the time")
    func waitsForThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // check-waits: the action waits forever.
            let scheduler = TestScheduler(patience: .milliseconds(200))
            scheduler.schedule { TestThread("mover") { scheduler.advance() }.join() }
            scheduler.advance()
        }
        expect(result?.message.contains("a thread has waited for 0.4 seconds to advance the time"), is: true)
        expect(result?.message.contains("must not wait for a thread or a task that does"), is: true)
    }

    @Test(
        "ends the process with a message when an action waits for a task that moves the time", arguments: [true, false])
    func waitsForTask(isInRun: Bool) async {
        let result =
            isInRun
            ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                // check-waits: the action waits forever.
                let scheduler = TestScheduler(patience: .milliseconds(200))
                Self.scheduleWait(scheduler)
                await scheduler.run { await scheduler.advance() }
            }
            : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                // check-waits: the action waits forever.
                let scheduler = TestScheduler(patience: .milliseconds(200))
                Self.scheduleWait(scheduler)
                scheduler.advance(by: .zero)
            }
        expect(result?.message.contains("a task has waited for 0.4 seconds to advance the time"), is: true)
    }

    /// Schedules an action that waits for a task which advances the time.
    private static func scheduleWait(_ scheduler: TestScheduler) {
        scheduler.schedule {
            let isMoved = Latch("the move")
            Task.detached {
                await scheduler.advance()
                isMoved.open()
            }
            isMoved.wait()
        }
    }

    @Test("works after another thread has advanced the time")
    func unlocked() {
        let scheduler = TestScheduler()
        let log = Log<Int>()
        for round in 0..<20 {
            onThreads(1, "advancing") { _ in scheduler.advance(to: Instant(offset: .seconds(round))) }
            scheduler.schedule { log.append(round) }
            scheduler.advance()
        }
        expect(log.all, is: Array(0..<20))
    }

    @Test("has instants with an order and distances")
    func instantArithmetic() {
        let one = Instant(offset: .seconds(1))
        let three = one.advanced(by: .seconds(2))
        expect(three, is: Instant(offset: .seconds(3)))
        expect(one.duration(to: three), is: .seconds(2))
        expect(three.duration(to: one), is: .seconds(-2))
        #expect(one < three)
        #expect(!(three < one))
        expect(Set([one, three, one]).count, is: 2)
        expect("\(three)", is: "3.0 seconds")
    }

    @Test("describes instants exactly")
    func descriptions() {
        let cases: [(Duration, String)] = [
            (.zero, "0.0"), (.seconds(7_210), "7210.0"), (.milliseconds(1_300), "1.3"),
            (.nanoseconds(1), "0.000000001"),
            (Duration(secondsComponent: 5, attosecondsComponent: 1), "5.000000000000000001"),
            (.milliseconds(-1_250), "-1.25"), (.milliseconds(-250), "-0.25"),
            (.seconds(Int64.min), "\(Int64.min).0"), (.seconds(Int64.max), "\(Int64.max).0"),
        ]
        for (offset, text) in cases { expect("\(Instant(offset: offset))", is: "\(text) seconds") }
    }

    @Test("runs an action as soon as possible if its delay is negative")
    func negativeDelay() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        scheduler.schedule(after: .seconds(-1)) { log.append("once at \(scheduler.now)") }
        let timer = scheduler.schedule(after: .seconds(-3), interval: .seconds(2)) {
            log.append("timer at \(scheduler.now)")
        }
        expect(log.all, is: [])
        scheduler.advance(by: .seconds(2))
        expect(log.all, is: ["once at 0.0 seconds", "timer at 0.0 seconds", "timer at 2.0 seconds"])
        timer?.dispose()
    }

    @Test("accepts the longest delay and interval at any time")
    func longestDelay() {
        let longest = Duration(attoseconds: .max)
        let scheduler = TestScheduler()
        scheduler.advance(by: .seconds(1))
        let log = Log<String>()
        let once = scheduler.schedule(after: longest) { log.append("once") }
        let later = scheduler.schedule(after: longest, interval: .seconds(1)) { log.append("later") }
        let timer = scheduler.schedule(after: .seconds(1), interval: longest) { log.append("at \(scheduler.now)") }
        scheduler.advance(by: .seconds(1_000_000_000))
        expect(log.all, is: ["at 2.0 seconds"])
        for disposable in [once, later, timer] { disposable?.dispose() }
        scheduler.run()
        expect(log.count, is: 1)
    }

    @Test("traps unless an interval is positive")
    func badInterval() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestScheduler().schedule(after: .zero, interval: .zero) {}
        }
        zero.expectTrap("TestScheduler.schedule(interval: 0.0 seconds)")
        let negative = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestScheduler().schedule(after: .zero, interval: .seconds(-2), leeway: .zero) {}
        }
        negative.expectTrap("TestScheduler.schedule(interval: -2.0 seconds)")
    }

    @Test("traps if the time would go back")
    func back() async throws {
        let by = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            TestScheduler().advance(by: .seconds(-1))
        }
        by.expectTrap("TestScheduler.advance(by: -1.0 seconds)")
        let to = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scheduler = TestScheduler()
            scheduler.advance(by: .seconds(2))
            scheduler.advance(to: TestScheduler.Instant(offset: .seconds(1)))
        }
        to.expectTrap("TestScheduler.advance(to: 1.0 seconds)")
    }
}

import ColdProducers
import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A model of a token bucket, computed from everything it has granted.
private struct BucketModel {
    let count: Int
    let period: Duration
    let burst: Int
    /// The time at which the bucket is full, in units of the period divided by the count.
    private var full = 0
    private var latest = 0

    init(_ count: Int, per period: Duration, burst: Int) {
        self.count = count
        self.period = period
        self.burst = burst
    }

    /// - Parameter time: The time in ticks, at one token per tick.
    mutating func acquires(_ permits: Int, at time: Int) -> Bool {
        latest = max(latest, time)
        let next = max(full, latest) + permits
        guard next - latest <= burst else { return false }
        full = next
        return true
    }
}

@Suite("RateLimiter", .watched)
struct RateLimiterTests {
    /// Returns how many of the attempts succeed.
    private func acquired(_ attempts: Int, _ limiter: RateLimiter) -> Int {
        (0..<attempts).count { _ in limiter.tryAcquire() }
    }

    @Test("grants a burst immediately, then permits at the refill rate")
    func burst() {
        let clock = TestScheduler()
        let limiter = RateLimiter(4, per: .seconds(2), burst: 3, on: clock)
        expect(acquired(9, limiter), is: 3)
        clock.advance(by: .milliseconds(499))
        expect(acquired(9, limiter), is: 0)
        clock.advance(by: .milliseconds(1))
        expect(acquired(9, limiter), is: 1)
        clock.advance(by: .seconds(1))
        expect(acquired(9, limiter), is: 2)
        clock.advance(by: .seconds(1_000))
        expect(acquired(9, limiter), is: 3)
        expect(acquired(9, RateLimiter(4, per: .seconds(2), on: clock)), is: 4)
    }

    @Test("acquires all requested permits or none")
    func several() {
        let clock = TestScheduler()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 5, on: clock)
        #expect(limiter.tryAcquire(4))
        #expect(!limiter.tryAcquire(2))
        #expect(limiter.tryAcquire(1))
        clock.advance(by: .seconds(4))
        #expect(!limiter.tryAcquire(5))
        #expect(limiter.tryAcquire(4))
    }

    @Test("reports the delay until permits are available")
    func delay() {
        let clock = TestScheduler()
        let limiter = RateLimiter(3, per: .seconds(1), burst: 2, on: clock)
        expect(limiter.delay(), is: .zero)
        expect(limiter.delay(2), is: .zero)
        #expect(limiter.tryAcquire(2))
        // A third of a second, rounded up.
        expect(limiter.delay(), is: .nanoseconds(333_333_334))
        expect(limiter.delay(2), is: .nanoseconds(666_666_667))
        clock.advance(by: .nanoseconds(333_333_333))
        #expect(!limiter.tryAcquire())
        clock.advance(by: limiter.delay())
        #expect(limiter.tryAcquire())
    }

    @Test("grants what the model grants", arguments: 0..<20)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let clock = ScriptedClock()
        let (count, burst) = (random.number(in: 1...50), random.number(in: 1...20))
        // A token takes a millisecond.
        let limiter = RateLimiter(count, per: .milliseconds(count), burst: burst, on: clock)
        var model = BucketModel(count, per: .milliseconds(count), burst: burst)
        var time = 0
        for _ in 0..<5_000 {
            // The clock may also go backwards.
            time = max(0, time + random.number(in: -3...6))
            clock.time = .milliseconds(time)
            let permits = random.number(in: 1...burst)
            let isGranted = limiter.tryAcquire(permits)
            expect(isGranted, is: model.acquires(permits, at: time))
            if isGranted { continue }
            #expect(limiter.delay(permits) > .zero)
        }
    }

    @Test("grants nothing while the clock is behind, and continues when it has caught up")
    func backwards() {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 2, on: clock)
        clock.time = .seconds(100)
        #expect(limiter.tryAcquire())
        clock.time = .seconds(10)
        // All available permits can be acquired.
        expect(acquired(5, limiter), is: 1)
        clock.time = .seconds(99)
        expect(acquired(5, limiter), is: 0)
        expect(limiter.delay(), is: .seconds(1))
        clock.time = .seconds(101)
        expect(acquired(5, limiter), is: 1)
    }

    @Test("supports extreme periods, rates and bursts")
    func extremes() {
        let clock = ScriptedClock()
        let slow = RateLimiter(1, per: .seconds(1e12), burst: .max, on: clock)
        #expect(slow.tryAcquire(.max))
        #expect(!slow.tryAcquire())
        let fast = RateLimiter(.max, per: .nanoseconds(1), on: clock)
        #expect(fast.tryAcquire())
        #expect(fast.tryAcquire(1_000_000))
    }

    @Test("never exceeds the burst plus the refill in any window, with two threads")
    func windows() {
        // The clock advances by 75 ns per attempt, and a permit takes 80 ns, so most attempts succeed.
        let (perThread, interval, burst) = (Sanitizer.current == nil ? 700_000 : 40_000, 80, 16)
        let clock = ScriptedClock()
        let limiter = RateLimiter(12_500, per: .milliseconds(1), burst: burst, on: clock)
        let grants = Locked((before: [Int](), after: [Int]()))
        onThreads(2, "acquires") { _ in
            var (before, after) = ([Int](), [Int]())
            for _ in 0..<perThread {
                let begin = clock.time.nanoseconds
                if limiter.tryAcquire() {
                    before.append(begin)
                    after.append(clock.time.nanoseconds)
                }
                clock.tick(.nanoseconds(75))
            }
            grants.withLock { grants in
                grants.before += before
                grants.after += after
            }
        }
        let (before, after) = grants.withLock { ($0.before.sorted(), $0.after.sorted()) }
        if Sanitizer.current == nil { #expect(before.count >= 1_000_000) }
        // The grants in the window from a to b are those that ended by b, less those that began before a.
        var (excess, room, index) = (Int.min, Int.min, 0)
        for (ended, end) in after.enumerated() {
            while index < before.count, before[index] <= end {
                // The window can begin here, as `index` grants began earlier.
                let isFirst = index == 0 || before[index] > before[index - 1]
                if isFirst { room = max(room, before[index] - index * interval) }
                index += 1
            }
            excess = max(excess, (ended + 1) * interval - end + room)
        }
        #expect(excess <= burst * interval, "\(excess) ns of permits in a window for \(burst * interval)")
    }

    // MARK: Waiting

    @Test("serves waiters in order, however many permits they request")
    func order() {
        let clock = TestScheduler()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 3, on: clock)
        let log = Log<String>()
        #expect(limiter.tryAcquire(3))
        for permits in [2, 1, 3] {
            let waiter = limiter.acquire(permits) { log.append("\(permits) at \(clock.now)") }
            #expect(waiter != nil)
        }
        expect(limiter.delay(), is: .seconds(7))
        clock.advance(by: .seconds(1))
        #expect(!limiter.tryAcquire())
        clock.advance(by: .seconds(100))
        expect(log.all, is: ["2 at 2.0 seconds", "1 at 3.0 seconds", "3 at 6.0 seconds"])
        #expect(limiter.acquire(3) { log.append("at once") } == nil)
        expect(log.all.last, is: "at once")
    }

    @Test("a cancelled waiter takes no permit, the next ones move up, and the last one stops the timer")
    func leaving() {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 4, on: clock)
        let log = Log<Int>()
        #expect(limiter.tryAcquire(4))
        expect(clock.delays, is: [])
        let waiters = [4, 1, 2].map { permits in limiter.acquire(permits) { log.append(permits) } }
        expect(clock.delays, is: [.seconds(4)])
        waiters[0]?.dispose()
        waiters[0]?.dispose()
        #expect(waiters[0]?.isDisposed == true)
        expect(clock.delays, is: [.seconds(1)])
        waiters[2]?.dispose()
        expect(clock.delays, is: [.seconds(1)])
        clock.time = .seconds(1)
        clock.runScheduled()
        expect(log.all, is: [1])
        #expect(waiters[1]?.isDisposed == true)
        expect(clock.delays, is: [])
        let last = limiter.acquire(2) { log.append(2) }
        last?.dispose()
        expect(clock.delays, is: [])
        #expect(!limiter.tryAcquire())
        clock.time = .seconds(2)
        #expect(limiter.tryAcquire())
    }

    @Test("a waiter that another one withdraws when both are due takes no permit")
    func dueTogether() {
        let clock = TestScheduler()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 3, on: clock)
        let log = Log<Int>()
        let waiters = Log<any Disposable>()
        #expect(limiter.tryAcquire(3))
        for (number, permits) in [3, 1, 1, 1].enumerated() {
            let waiter = limiter.acquire(permits) {
                log.append(number)
                waiters.all[2].dispose()
            }
            if let waiter { waiters.append(waiter) }
        }
        clock.advance(by: .seconds(2))
        // The one that waits for three permits leaves two to those behind it.
        waiters.all[0].dispose()
        clock.advance()
        expect(log.all, is: [1, 3])
        expect(limiter.delay(), is: .seconds(1))
    }

    @Test("a waiter that another one waits for is served while that one is told")
    func slowGrant() {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .seconds(1), on: clock)
        let log = Log<String>()
        #expect(limiter.tryAcquire())
        let first = limiter.acquire(1) {
            log.append("first begins")
            clock.time = .seconds(2)
            clock.runScheduled()
            log.append("first ends")
        }
        let second = limiter.acquire(1) { log.append("second") }
        clock.time = .seconds(1)
        clock.runScheduled()
        expect(log.all, is: ["first begins", "second", "first ends"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("reschedules a timer that fires early")
    func early() {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .seconds(1), on: clock)
        let log = Log<Int>()
        #expect(limiter.tryAcquire())
        let waiter = limiter.acquire(1) { log.append(1) }
        clock.time = .milliseconds(400)
        clock.runScheduled()
        expect(clock.delays, is: [.milliseconds(600)])
        clock.time = .milliseconds(-100)
        clock.runScheduled()
        expect(clock.delays, is: [.milliseconds(600)])
        expect(log.all, is: [])
        clock.time = .seconds(1)
        clock.runScheduled()
        expect(log.all, is: [1])
        withExtendedLifetime(waiter) {}
    }

    @Test("tasks wait in order, and a cancelled task takes no permit")
    func tasks() async throws {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .seconds(1), on: clock)
        let log = Log<Int>()
        try await limiter.acquire()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    try await limiter.acquire()
                    log.append(number)
                })
            while limiter.delay() <= .seconds(number + 1) { await Task.yield() }
        }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        for (number, count) in [(0, 1), (2, 2)] {
            clock.tick(.seconds(1))
            clock.runScheduled()
            try await tasks[number].value
            expect(log.count, is: count)
        }
        expect(log.all, is: [0, 2])
        expect(clock.delays, is: [])
        clock.tick(.seconds(1))
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await limiter.acquire()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(limiter.tryAcquire())
    }

    @Test("a cancellation that races with a grant either takes the permit or returns it")
    func cancellationRace() async {
        for _ in 0..<raceRounds {
            let clock = ScriptedClock()
            let limiter = RateLimiter(1, per: .seconds(1), on: clock)
            #expect(limiter.tryAcquire())
            let isGranted = Locked<Bool?>(nil)
            let task = Task {
                do {
                    try await limiter.acquire()
                    isGranted.withLock { $0 = true }
                } catch {
                    isGranted.withLock { $0 = false }
                }
            }
            while clock.delays.isEmpty { await Task.yield() }
            clock.time = .seconds(1)
            let canceller = Task.detached { task.cancel() }
            clock.runScheduled()
            await canceller.value
            await task.value
            // There is one permit, which either the task or this test acquires.
            #expect(limiter.tryAcquire() == (isGranted.withLock { $0 } == false))
        }
    }

    @Test("grants permits at the refill rate to two threads that wait and cancel")
    func waitingThreads() {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .milliseconds(1), burst: 2, on: clock)
        let (granted, withdrawn) = (Counter(), Counter())
        let rounds = 4 * raceRounds
        onThreads(3, "waits") { thread in
            for round in 0..<rounds {
                if thread == 0 {
                    clock.tick(.milliseconds(1))
                    clock.runScheduled()
                } else if let waiter = limiter.acquire(1, then: { granted.increment() }), round % 2 == 0 {
                    waiter.dispose()
                    withdrawn.increment()
                }
            }
        }
        #expect(granted.value <= rounds + 2)
        for _ in 0..<2 * rounds {
            clock.tick(.milliseconds(1))
            clock.runScheduled()
        }
        expect(clock.delays, is: [])
        #expect(granted.value >= 2 * rounds - withdrawn.value)
        #expect(granted.value <= 2 * rounds)
        expect(limiter.delay(2), is: .zero)
    }

    @Test("runs a waiter with its own task-local values")
    func taskLocals() {
        let clock = ScriptedClock()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 2, on: clock)
        let log = Log<Int>()
        #expect(limiter.tryAcquire(2))
        for number in 1...2 {
            Tags.$number.withValue(number) { _ = limiter.acquire(1) { log.append(Tags.number) } }
        }
        clock.time = .seconds(9)
        for _ in 0..<2 { clock.runScheduled() }
        expect(log.all, is: [1, 2])
    }

    @Test("releases each waiter once it is served, and is kept alive by its waiters")
    func releases() {
        let population = Population()
        let clock = ScriptedClock()
        var limiter: RateLimiter? = RateLimiter(1, per: .seconds(1), on: clock)
        _ = limiter?.tryAcquire()
        for _ in 0..<2 {
            let member = population.member()
            _ = limiter?.acquire(1) { member.touch() }
        }
        limiter = nil
        expect(population.alive, is: 2)
        clock.time = .seconds(1)
        clock.runScheduled()
        expect(population.alive, is: 1)
        clock.time = .seconds(2)
        clock.runScheduled()
        expect(population.alive, is: 0)
    }

    static let mistakes: [(message: String, make: @Sendable () -> Void)] = [
        ("RateLimiter(0): the count must be positive", { _ = RateLimiter(0, per: .seconds(1), on: TestScheduler()) }),
        (
            "RateLimiter(per: 0.0 seconds): the period must be positive",
            { _ = RateLimiter(1, per: .zero, on: TestScheduler()) }
        ),
        (
            "RateLimiter(burst: 0): the burst must be positive",
            { _ = RateLimiter(1, per: .seconds(1), burst: 0, on: TestScheduler()) }
        ),
        (
            "tryAcquire(0): the permits must be in 1...2, the burst",
            { _ = RateLimiter(2, per: .seconds(1), on: TestScheduler()).tryAcquire(0) }
        ),
        (
            "delay(3): the permits must be in 1...2, the burst",
            { _ = RateLimiter(2, per: .seconds(1), on: TestScheduler()).delay(3) }
        ),
        (
            "RateLimiter.Keyed(maxKeys: 0): the number of keys must be positive",
            { _ = RateLimiter.Keyed<Int>(1, per: .seconds(1), maxKeys: 0, on: TestScheduler()) }
        ),
        (
            "RateLimiter.Keyed(-1): the count must be positive",
            { _ = RateLimiter.Keyed<Int>(-1, per: .seconds(1), maxKeys: 1, on: TestScheduler()) }
        ),
        (
            "tryAcquire(2): the permits must be in 1...1, the burst",
            { _ = RateLimiter.Keyed<Int>(1, per: .seconds(1), maxKeys: 1, on: TestScheduler()).tryAcquire(2, for: 0) }
        ),
    ]

    @Test("traps on invalid parameters", arguments: 0..<8)
    func traps(_ index: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            Self.mistakes[index].make()
        }
        result.expectTrap(Self.mistakes[index].message)
    }
}

private enum Tags {
    @TaskLocal static var number = 0
}

@Suite("start(limitedBy:)")
struct StartLimitedByTests {
    @Test("starts the work immediately, or on the scheduler when its turn comes")
    func begins() {
        let clock = TestScheduler()
        let limiter = RateLimiter(1, per: .seconds(2), on: clock)
        let log = Log<String>()
        for number in 0..<3 {
            Numbers(value: number).start(limitedBy: limiter).start { log.append(when($0, clock)) }
        }
        expect(log.all, is: ["0 at 0, on its sender's thread", "completed at 0, on its sender's thread"])
        clock.advance(by: .seconds(9))
        expect(
            Array(log.all.dropFirst(2)), is: ["1 at 2", "completed at 2", "2 at 4", "completed at 4"])
    }

    @Test("a start that is disposed of while it waits takes no permit and does no work")
    func disposal() {
        let clock = TestScheduler()
        let limiter = RateLimiter(1, per: .seconds(2), on: clock)
        let manual = Manual()
        let limited = manual.producer.start(limitedBy: limiter)
        limited.start()
        let waiting = limited.startLogged()
        let next = limited.startLogged()
        waiting.disposable.dispose()
        expect(waiting.log.all, is: ["interrupted"])
        clock.advance(by: .seconds(2))
        expect(manual.starts.value, is: 2)
        manual.input?.sendCompleted()
        expect(next.log.all, is: ["completed"])
        manual.release()
    }

    @Test("each attempt of a retry takes a permit")
    func retries() {
        let clock = TestScheduler()
        let limiter = RateLimiter(1, per: .seconds(2), on: clock)
        let log = Log<String>()
        Numbers(error: .first).on(starting: { log.append("begin") }).start(limitedBy: limiter).retry(upTo: 2)
            .start { log.append(when($0, clock)) }
        clock.run()
        expect(log.all, is: ["begin", "begin", "begin", "error first at 4"])
    }

    @Test("follows its source, interrupts on disposal, and stops an endless source")
    func common() {
        func limiter() -> RateLimiter { RateLimiter(1_000, per: .seconds(1), on: TestScheduler()) }
        expectFollows { $0.start(limitedBy: limiter()) }
        expectInterrupts { $0.start(limitedBy: limiter()) }
        expectStops { $0.start(limitedBy: limiter()) }
        expect(Numbers.never.start(limitedBy: limiter()).name, is: "[never] -start(limitedBy:)")
    }
}

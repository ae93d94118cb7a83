import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Instant = TestScheduler.Instant

@Suite("TestScheduler as a clock", .watched)
struct TestSchedulerClockTests {
    @Test("has the resolution of Duration")
    func resolution() {
        expect(TestScheduler().minimumResolution, is: Duration(secondsComponent: 0, attosecondsComponent: 1))
    }

    @Test("does not suspend for a deadline that is not in the future")
    func past() async throws {
        let scheduler = TestScheduler()
        try await scheduler.sleep(until: Instant(offset: .zero))
        scheduler.schedule(after: .seconds(2)) {}
        await scheduler.run()
        try await scheduler.sleep(until: Instant(offset: .seconds(1)))
        try await scheduler.sleep(until: scheduler.now, tolerance: .seconds(1))
        try await Task.sleep(for: .zero, clock: scheduler)
        try await Task.sleep(for: .seconds(-1), clock: scheduler)
        expect(scheduler.now.offset, is: .seconds(2))
    }

    @Test("wakes actions and tasks of one instant in the order in which they started to wait")
    func order() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<3 {
                    group.addTask {
                        scheduler.schedule(after: .seconds(1)) { log.append("action \(index)") }
                        try? await Task.sleep(for: .seconds(1), clock: scheduler)
                        log.append("task \(index)")
                    }
                }
                await scheduler.advance(by: .seconds(1))
            }
        }
        #expect(log.all == (0..<3).flatMap { ["action \($0)", "task \($0)"] })
    }

    @Test("measures the duration of async code")
    func measured() async {
        let scheduler = TestScheduler()
        let duration = await scheduler.run {
            async let work = scheduler.measure { try? await scheduler.sleep(for: .seconds(3)) }
            await scheduler.advance(by: .seconds(10))
            return await work
        }
        expect(duration, is: .seconds(3))
    }

    @Test(
        "throws at once if the task is cancelled before or during its sleep, and leaves no timer")
    func cancelled() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            let sleeper = Task(executorPreference: scheduler) {
                do { try await scheduler.sleep(for: .seconds(5)) } catch { log.append("\(type(of: error))") }
                do { try await scheduler.sleep(for: .seconds(5)) } catch { log.append("again") }
                do { try await scheduler.sleep(until: Instant(offset: .zero)) } catch { log.append("and for the past") }
            }
            await scheduler.advance(by: .seconds(1))
            #expect(log.all.isEmpty)
            sleeper.cancel()
            await scheduler.advance()
            expect(log.all, is: ["CancellationError", "again", "and for the past"])
            await scheduler.run()
            expect(scheduler.now.offset, is: .seconds(1))
        }
    }

    @Test("wakes a sleeping task when a thread advances the time")
    func thread() async throws {
        let scheduler = TestScheduler()
        try await scheduler.run {
            async let sleep: Void = scheduler.sleep(for: .seconds(1))
            await scheduler.advance()
            let thread = TestThread("moving") { scheduler.advance(by: .seconds(1)) }
            try await sleep
            thread.join()
        }
        expect(scheduler.now.offset, is: .seconds(1))
    }

    @Test("wakes a sleeping task once when advancing the time races with cancellation")
    func race() async {
        let outcomes = Log<Bool>()
        for _ in 0..<raceRounds {
            let scheduler = TestScheduler()
            let start = Latch("start of the race")
            let sleeper = Task {
                do {
                    try await scheduler.sleep(for: .seconds(1))
                    outcomes.append(true)
                } catch {
                    outcomes.append(false)
                }
            }
            let mover = TestThread("moving") {
                start.wait()
                scheduler.advance(by: .seconds(1))
            }
            let canceller = TestThread("cancelling") {
                start.wait()
                sleeper.cancel()
            }
            start.open()
            mover.join()
            canceller.join()
            await sleeper.value
        }
        expect(outcomes.count, is: raceRounds)
    }

    @Test("throws in a cancelled task even if the deadline has passed")
    func cancelledBefore() async {
        let scheduler = TestScheduler()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await scheduler.sleep(until: scheduler.now)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("releases a task when its sleep is cancelled")
    func released() async {
        let population = Population()
        let scheduler = TestScheduler()
        await scheduler.run {
            let sleeper = Task(executorPreference: scheduler) { [member = population.member()] in
                try? await scheduler.sleep(for: .seconds(1))
                member.touch()
            }
            await scheduler.advance()
            expect(population.alive, is: 1)
            sleeper.cancel()
            await sleeper.value
        }
        expect(population.alive, is: 0)
        scheduler.schedule {}
        await scheduler.advance()
    }
}

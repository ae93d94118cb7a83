import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("StallWatch", .watched)
struct StallWatchTests {
    @Test("reports a stall only after tasks have run in the pool and on the main actor")
    func stall() throws {
        var detector = StallDetector.movement
        #expect(detector.check(7) == (false, false))
        let look = detector.check(7)
        #expect(!look.isStalled)
        let probe = try #require(look.probe)
        #expect(detector.check(7) == (false, false))
        probe.hasRun.raise()
        #expect(detector.check(7) == (false, false))
        probe.hasRunOnMainActor.raise()
        #expect(detector.check(7) == (true, false))
    }

    @Test("reports no stall while no task runs in the pool")
    func busyPool() throws {
        var detector = StallDetector.standstill(7)
        let probe = try #require(detector.check(7).probe)
        probe.hasRunOnMainActor.raise()
        #expect(detector.check(7) == (false, false))
    }

    @Test("reports no stall if something happens between two looks or during one")
    func movement() throws {
        for progress in [8, nil] as [UInt?] {
            var detector = StallDetector.standstill(7)
            #expect(detector.check(progress) == (false, false))
            detector = .standstill(7)
            let probe = try #require(detector.check(7).probe)
            probe.hasRun.raise()
            probe.hasRunOnMainActor.raise()
            #expect(detector.check(progress) == (false, false))
            // Starts over.
            #expect(detector.check(9) == (false, false))
            #expect(detector.check(9) == (false, true))
        }
    }

    @Test("a scheduler is idle unless its time is advancing or it runs a job")
    func idle() async {
        let (scheduler, seen) = (TestScheduler(), Log<UInt?>())
        expect(scheduler.progressIfIdle, is: 0)
        scheduler.schedule { seen.append(scheduler.progressIfIdle) }
        await onThread("moving") { scheduler.advance() }
        await Task(executorPreference: scheduler) { seen.append(scheduler.progressIfIdle) }.value
        expect(seen.all, is: [nil, nil])
    }

    @Test("reports a stall, but not early")
    func told() async {
        let (scheduler, timekeeper, stalls) = (TestScheduler(), TestScheduler(), Log<String>())
        let body = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await scheduler.run(watch: StallWatch(patience: .seconds(5), on: timekeeper) { stalls.append($0) }) {
                begun.continuation.finish()
                for await _ in body.stream {}
            }
        }
        for await _ in begun.stream {}
        timekeeper.moveOnThisThread(.seconds(10))
        #expect(stalls.all.isEmpty)
        while stalls.all.isEmpty {
            timekeeper.moveOnThisThread(.seconds(5))
            await Task.yield()
        }
        body.continuation.finish()
        await task.value
        let message = "TestScheduler.run(patience: 5.0 seconds): nothing has happened"
        #expect(stalls.all.allSatisfy { $0.hasPrefix(message) })
    }

    @Test("reports no stall while the executor is working")
    func atWork() async {
        let (scheduler, timekeeper, stalls) = (TestScheduler(), TestScheduler(), Log<String>())
        await scheduler.run(watch: StallWatch(patience: .seconds(5), on: timekeeper) { stalls.append($0) }) {
            for _ in 0..<10 {
                timekeeper.moveOnThisThread(.seconds(5))
                // Lets anything that it may have started run.
                await Task.detached {}.value
                await MainActor.run {}
            }
        }
        #expect(stalls.all.isEmpty)
    }

    @Test("ends with the run")
    func ends() async {
        let (scheduler, timekeeper, population) = (TestScheduler(), TestScheduler(), Population())
        await scheduler.run(watch: watch(timekeeper, holding: population.member())) {
            expect(population.alive, is: 1)
        }
        expect(population.alive, is: 0)
        withExtendedLifetime(timekeeper) {}
    }

    @Test("ends the process with a message when the body sleeps and nothing advances the time")
    func asleep() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (scheduler, timekeeper) = (TestScheduler(), TestScheduler())
            async let _ = scheduler.run(watch: StallWatch(patience: .milliseconds(50), on: timekeeper)) {
                try? await Task.sleep(for: .seconds(3), clock: scheduler)
            }
            // On a busy machine, the body may reach its sleep late.
            while scheduler.entries == 0 { await Task.yield() }
            while true {
                timekeeper.moveOnThisThread(.milliseconds(50))
                await Task.yield()
            }
        }
        #expect(result.message.contains("TestScheduler.run(patience: 0.05 seconds)"))
        #expect(result.message.contains("scheduled actions: 1, the next at 3.0 seconds"))
    }

    private func watch(_ timekeeper: TestScheduler, holding member: Population.Member) -> StallWatch {
        StallWatch(patience: .seconds(1), on: timekeeper) { _ in member.touch() }
    }
}

extension TestScheduler {
    /// The form for synchronous functions.
    fileprivate func moveOnThisThread(_ duration: Duration) { advance(by: duration) }
}

/// Whether the look reports a stall, and whether it has a probe.
private func == (look: (isStalled: Bool, probe: StallProbe?), expected: (Bool, Bool)) -> Bool {
    look.isStalled == expected.0 && (look.probe != nil) == expected.1
}

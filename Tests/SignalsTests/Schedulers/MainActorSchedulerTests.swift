import HotSignals
import ReactiveSignals
import TestSupport
import Testing

private enum Locals {
    @TaskLocal static var number = 0
}

@MainActor
private final class Window {
    var lines: [Int] = []
}

@Suite("MainActorScheduler", .watched)
struct MainActorSchedulerTests {
    @Test("runs actions on the main actor, in order, after schedule has returned")
    @MainActor
    func order() async {
        let scheduler = MainActorScheduler()
        let window = Window()
        await withCheckedContinuation { continuation in
            for number in 0..<1_000 {
                scheduler.schedule { MainActor.assumeIsolated { window.lines.append(number) } }
            }
            scheduler.schedule { continuation.resume() }
            #expect(window.lines.isEmpty)
        }
        expect(window.lines, is: Array(0..<1_000))
    }

    @Test("is the current scheduler inside its actions, which inherit the scheduling code's task-locals")
    func taskContext() async {
        let scheduler = MainActorScheduler()
        let seen = await withCheckedContinuation { continuation in
            Locals.$number.withValue(7) {
                _ = scheduler.schedule {
                    continuation.resume(returning: CurrentScheduler.value === scheduler ? Locals.number : -1)
                }
            }
        }
        expect(seen, is: 7)
    }

    @Test("runs actions with its given priority")
    func priority() async {
        let isLow = await withCheckedContinuation { continuation in
            _ = MainActorScheduler(priority: .low).schedule {
                continuation.resume(returning: Task.basePriority == .low)
            }
        }
        #expect(isLow)
    }

    @Test("preserves the order of each of several tasks with different priorities")
    func priorities() async {
        let scheduler = MainActorScheduler()
        let log = Log<[Int]>()
        await withTaskGroup { group in
            for (index, priority) in [TaskPriority.background, .high].enumerated() {
                group.addTask(priority: priority) {
                    for number in 0..<1_000 { scheduler.schedule { log.append([index, number]) } }
                }
            }
        }
        await withCheckedContinuation { continuation in
            _ = scheduler.schedule { continuation.resume() }
        }
        for index in 0..<2 {
            expect(log.all.filter { $0[0] == index }.map { $0[1] }, is: Array(0..<1_000))
        }
    }

    @Test("does not run an action that is disposed of, and releases it at once")
    @MainActor
    func disposes() async {
        let population = Population()
        let scheduler = MainActorScheduler()
        let runs = Counter()
        let disposable = scheduler.schedule { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        // The test is on the main actor, so the action cannot have started.
        disposable?.dispose()
        expect(population.alive, is: 0)
        await withCheckedContinuation { continuation in
            _ = scheduler.schedule { continuation.resume() }
        }
        expect(runs.value, is: 0)
    }
}

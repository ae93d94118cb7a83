import Dispatch
import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private enum Sender {
    @TaskLocal static var name = "nobody"
}

@Suite("The task-locals of an action", .watched)
struct SchedulerTaskLocalsTests {
    private struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let drops: Bool
        let make: @Sendable () -> any Scheduler

        init(_ name: String, drops: Bool, _ make: @escaping @Sendable () -> any Scheduler) {
            testDescription = name
            self.drops = drops
            self.make = make
        }
    }

    private static let kinds = [
        Kind("queue", drops: true) { QueueScheduler() },
        Kind("queue that propagates", drops: false) { QueueScheduler(propagating: Sender.$name) },
        Kind("clock", drops: true) { ClockScheduler(ContinuousClock()) },
        Kind("clock that propagates", drops: false) { ClockScheduler(ContinuousClock(), propagating: Sender.$name) },
        Kind("test", drops: true) { TestScheduler() },
        Kind("immediate", drops: false) { ImmediateScheduler() },
        Kind("trampoline", drops: false) { TrampolineScheduler() },
        Kind("main actor", drops: false) { MainActorScheduler() },
        Kind("main", drops: false) { MainScheduler() },
    ]

    @Test("are not those of the code that schedules it, if the scheduler drops these", arguments: kinds)
    private func dropped(_ kind: Kind) async {
        let scheduler = kind.make()
        expect(scheduler.dropsTaskLocals, is: kind.drops)
        guard kind.drops else { return }
        let seen = Log<String>()
        // Suspends, because a clock's actions run in tasks, which need the threads of the tests.
        await withCheckedContinuation { continuation in
            let action: @Sendable () -> Void = {
                seen.append(Sender.name)
                if seen.count == 2 { continuation.resume() }
            }
            Sender.$name.withValue("the sender") {
                scheduler.schedule(action)
                (scheduler as? any DelayScheduler)?.schedule(after: .milliseconds(1), action)
            }
            (scheduler as? TestScheduler)?.run()
        }
        expect(seen.all, is: ["nobody", "nobody"])
    }

    @Test("are taken away if a scheduler of the user says nothing about them")
    func unknown() {
        final class Inline: Scheduler {
            func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
                action()
                return nil
            }
        }
        final class Dropping: Scheduler {
            let dropsTaskLocals = true

            func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
                action()
                return nil
            }
        }
        let seen = Log<String>()
        Sender.$name.withValue("the sender") {
            Inline().runWithoutTaskLocals { seen.append(Sender.name) }
            Dropping().runWithoutTaskLocals { seen.append(Sender.name) }
        }
        expect(seen.all, is: ["nobody", "the sender"])
    }
}

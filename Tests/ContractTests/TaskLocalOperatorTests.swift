import Dispatch
import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 18 for every operator and every scheduler, with senders that compete. `TaskLocalContractTests` has the
/// cases in detail.
@Suite("Task-local contract of operators", .watched, .offThePool)
struct TaskLocalOperatorTests {
    private enum Request {
        @TaskLocal static var id = 0
    }

    /// A value from which its sender can be read. A number that an operator has computed is almost never one.
    private struct Sent {
        let sender: Int
        let value: Int

        init(sender: Int, number: Int) {
            self.sender = sender
            value = Self.checksum(sender, number) << 32 | sender << 24 | number
        }

        init?(_ value: Int) {
            (sender, self.value) = (value >> 24 & 0xFF, value)
            guard (1...senders).contains(sender), value >> 32 == Self.checksum(sender, value & 0xFF_FFFF) else {
                return nil
            }
        }

        private static func checksum(_ sender: Int, _ number: Int) -> Int {
            // Not linear, because an operator that adds values up would add the checksums up, too.
            let mixed = UInt64(sender << 24 | number) &* 0x9E37_79B9_7F4A_7C15
            return Int(((mixed ^ mixed >> 31) &* 0xBF58_476D_1CE4_E5B9) >> 40)
        }
    }

    private static let senders = 4

    /// Sends from several threads, each under its own task-locals, and compares what each value is observed under.
    ///
    /// - Parameter context: Where the tasks run that deliver the values. New threads have no context of their own, so
    ///   by default these tasks would run on Swift's pool, whose threads other tests can occupy for minutes.
    /// - Returns: How many values had a sender.
    private func check(
        _ name: String, _ apply: (Numbers) -> Numbers, waits: Bool, in context: TaskContext? = LibraryTask.context
    ) -> Int {
        let (mistakes, seen, ended) = (Log<String>(), Counter(), Latch("the end of \(name)"))
        let (source, input) = Numbers.pipe()
        let result = apply(source)
        let observation = result.observe { event in
            if event.isTerminating { return ended.open() }
            guard let value = event.value, let sent = Sent(value) else { return }
            seen.increment()
            let current = Request.id
            if current != 0, current != sent.sender { mistakes.append("\(value) of \(sent.sender) under \(current)") }
        }
        onThreads(Self.senders, name) { thread in
            LibraryTask.$context.withValue(context) {
                Request.$id.withValue(thread + 1) {
                    for number in 0..<raceRounds { input.sendNext(Sent(sender: thread + 1, number: number).value) }
                }
            }
        }
        LibraryTask.$context.withValue(context) { input.sendCompleted() }
        if waits { ended.wait() }
        observation?.dispose()
        expect(mistakes.all.prefix(3), is: [], "\(name)")
        return seen.value
    }

    /// Operators whose event has a value of a former event: see the article on task-locals. The entry of `scanMap`
    /// sends the state before the value, so its second value is the first one that was sent.
    private static let combining = ["combineLatest", "sample", "slidingWindow", "scanMap(_:_:)"]

    @Test("18: with four senders, no observer of any operator runs under the task-locals of another sender")
    func operators() {
        for entry in Entry.table where !Self.combining.contains(where: entry.testDescription.contains) {
            let seen = check(entry.testDescription, { entry.apply($0) }, waits: entry.isAsynchronous)
            if entry.isTransparent {
                #expect(seen > 0, "nothing has been compared: \(entry.testDescription)")
            }
        }
    }

    /// The scheduler to deliver on, and a reference that keeps it running.
    private static let schedulers: [(name: String, apply: @Sendable (Numbers) -> Numbers)] = {
        let keeper = Keeper()
        return [
            ("ImmediateScheduler", { $0.observe(on: ImmediateScheduler()) }),
            ("TrampolineScheduler", { $0.observe(on: TrampolineScheduler()) }),
            ("QueueScheduler", { $0.observe(on: QueueScheduler()) }),
            ("QueueScheduler of a queue", { $0.observe(on: QueueScheduler(queue: DispatchQueue(label: "tasks"))) }),
            ("ActorScheduler", { $0.observe(on: ActorScheduler(keeper)) }),
            ("ClockScheduler", { $0.observe(on: ClockScheduler(ContinuousClock())) }),
            ("MainScheduler", { $0.observe(on: MainScheduler()) }),
            ("MainActorScheduler", { $0.observe(on: MainActorScheduler()) }),
            ("ExecutorScheduler", { $0.observe(on: ExecutorScheduler(QueueExecutor())) }),
        ]
    }()

    @Test("18: with four senders, no observer on any scheduler runs under the task-locals of another sender")
    func everyScheduler() {
        for (name, apply) in Self.schedulers {
            // In a context with an executor, no action would be enqueued on the actor directly.
            let context = name == "ActorScheduler" ? nil : LibraryTask.context
            #expect(check(name, apply, waits: true, in: context) == Self.senders * raceRounds, "\(name)")
        }
    }
}

/// Has its own executor, because Swift's pool can be occupied.
private actor Keeper {
    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "executor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

import HotSignals

/// Runs tasks when the test says so, on a thread of the test's choice, and counts the steps that they take.
///
///     let executor = StepExecutor()
///     let task = Task(executorPreference: executor) { await signal.first() }
///     executor.runAll()  // now it waits
///     input.sendNext(1)
///     executor.runAll()  // now it has ended
///
/// A task that is woken takes one step: their number says how often one was.
package final class StepExecutor: TaskExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var steps = 0

        mutating func takeJob() -> UnownedJob? {
            guard !jobs.isEmpty else { return nil }
            steps += 1
            return jobs.removeFirst()
        }
    }

    private let state = Locked(State())
    private let arrival = Condition()

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        arrival.signal()
    }

    /// How many steps have been taken.
    package var steps: Int { state.withLock { $0.steps } }

    /// Runs what can be run, on the calling thread.
    ///
    /// - Returns: How many steps that took.
    @discardableResult
    package func runAll() -> Int {
        var count = 0
        while let job = state.withLock({ $0.takeJob() }) {
            run(job)
            count += 1
        }
        return count
    }

    /// Runs what comes, on the calling thread, and waits for more, until `isDone` is raised by a step.
    package func run(until isDone: DoneFlag) {
        while !isDone.isRaised {
            run(state.withLock(waitingOn: arrival) { $0.takeJob() })
        }
    }

    private func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// Raised once, by whoever is done.
package final class DoneFlag: Sendable {
    private let flag = AtomicFlag()

    package init() {}

    package var isRaised: Bool { flag.isRaised }

    package func raise() { flag.raise() }
}

extension StepExecutor {
    /// Runs an async closure to its end on the calling thread, which waits for it.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let result = Locked<Value?>(nil)
        let isDone = DoneFlag()
        Task(executorPreference: self) {
            let value = await body()
            result.withLock { $0 = value }
            isDone.raise()
        }
        run(until: isDone)
        // The task has set it before the flag.
        return result.withLock { $0.take() }!
    }
}

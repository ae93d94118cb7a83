import HotSignals

/// Runs the jobs of tasks on demand, on the calling thread, and counts them.
///
///     let executor = HandDrivenExecutor()
///     let task = Task(executorPreference: executor) { await signal.first() }
///     executor.run()  // now it waits
///     input.sendNext(1)
///     executor.run()  // now it has ended
///
/// A test thus determines the order in which tasks continue, and needs neither waiting nor a second thread. A task
/// takes one step each time it is resumed, so the number of steps is the number of resumptions. The library's tasks run
/// here if they are started ``within(_:)`` it.
package final class HandDrivenExecutor: TaskExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var steps = 0

        mutating func take(_ choose: (Int) -> Int) -> UnownedJob? {
            if jobs.isEmpty { return nil }
            steps += 1
            return jobs.remove(at: choose(jobs.count))
        }
    }

    private let state = Waitable(State())
    private let arrival = Condition()
    private let hasCome: @Sendable () -> Void

    /// - Parameter hasCome: Called after each job has been enqueued, on the thread that starts or resumes its task.
    package init(_ hasCome: @escaping @Sendable () -> Void = {}) { self.hasCome = hasCome }

    package func enqueue(_ job: consuming ExecutorJob) {
        // Its task alone may retain this executor, and that task may end before this returns.
        let retained = Unmanaged.passRetained(self)
        defer { retained.release() }
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        arrival.signal()
        hasCome()
    }

    /// The number of waiting jobs.
    package var count: Int { state.withLock { $0.jobs.count } }

    /// The number of jobs run so far.
    package var steps: Int { state.withLock { $0.steps } }

    /// Runs one job, by default the oldest.
    ///
    /// - Returns: False if no job is waiting.
    @discardableResult
    package func runOne(_ choose: (Int) -> Int = { _ in 0 }) -> Bool {
        guard let job = state.withLock({ $0.take(choose) }) else { return false }
        run(job)
        return true
    }

    /// Runs jobs until none is waiting.
    ///
    /// - Returns: The number of jobs.
    @discardableResult
    package func run() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    /// Runs jobs, waiting for more, until a job raises `isDone`.
    package func run(until isDone: DoneFlag) {
        while !isDone.isRaised {
            run(state.withLock(waitingOn: arrival) { $0.take { _ in 0 } })
        }
    }

    /// Runs an async closure to completion while the calling thread waits.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let result = Locked<Value?>(nil)
        let isDone = DoneFlag()
        Task(executorPreference: self) {
            let value = await body()
            result.withLock { $0 = value }
            isDone.raise()
        }
        run(until: isDone)
        // The task sets it before the flag.
        return result.withLock { $0.take() }!
    }

    /// Runs `body` so that the library's tasks that it starts run here.
    @discardableResult
    package func within<Result>(_ body: () -> Result) -> Result {
        LibraryTask.with(TaskContext(executor: self), body)
    }

    private func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// A flag that is raised once, on completion.
package final class DoneFlag: Sendable {
    private let flag = AtomicFlag()

    package init() {}

    package var isRaised: Bool { flag.isRaised }

    package func raise() { flag.raise() }
}

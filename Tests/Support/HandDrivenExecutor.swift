import HotSignals

/// Runs the jobs of tasks when the test says so, on the thread that says so, and counts the steps that they take.
///
///     let executor = HandDrivenExecutor()
///     let task = Task(executorPreference: executor) { await signal.first() }
///     executor.run()  // now it waits
///     input.sendNext(1)
///     executor.run()  // now it has ended
///
/// So a test decides about the order in which tasks go on, and needs neither waiting nor a second thread. A task that is woken takes
/// one step: their number says how often one was. The library's tasks come here when they are started ``within(_:)`` it.
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

    private let state = Locked(State())
    private let arrival = Condition()
    private let hasCome: @Sendable () -> Void

    /// - Parameter hasCome: Is called for every job when that is there, by whoever makes it so: by what starts or resumes a task.
    package init(_ hasCome: @escaping @Sendable () -> Void = {}) { self.hasCome = hasCome }

    package func enqueue(_ job: consuming ExecutorJob) {
        // It may be its task alone that holds this executor, and that may have ended before this returns.
        let retained = Unmanaged.passRetained(self)
        defer { retained.release() }
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        arrival.signal()
        hasCome()
    }

    /// How many jobs wait.
    package var count: Int { state.withLock { $0.jobs.count } }

    /// How many steps have been taken.
    package var steps: Int { state.withLock { $0.steps } }

    /// Runs one job, the oldest if no other is asked for.
    ///
    /// - Returns: False if none waits.
    @discardableResult
    package func runOne(_ choose: (Int) -> Int = { _ in 0 }) -> Bool {
        guard let job = state.withLock({ $0.take(choose) }) else { return false }
        run(job)
        return true
    }

    /// Runs jobs until none waits.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func run() -> Int {
        var count = 0
        while runOne() { count += 1 }
        return count
    }

    /// Runs what comes, and waits for more, until `isDone` is raised by a step.
    package func run(until isDone: DoneFlag) {
        while !isDone.isRaised {
            run(state.withLock(waitingOn: arrival) { $0.take { _ in 0 } })
        }
    }

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

    /// Does something whose tasks shall run here.
    @discardableResult
    package func within<Result>(_ body: () -> Result) -> Result {
        LibraryTask.with(TaskSurroundings(executor: self), body)
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

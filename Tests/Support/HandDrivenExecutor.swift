import HotSignals

/// Runs the jobs of tasks when the test says so, on the thread that says so: the library's tasks that are started `within` it.
///
/// So a test decides about the order in which tasks go on, and needs neither waiting nor a second thread.
package final class HandDrivenExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])
    private let hasCome: @Sendable () -> Void

    /// - Parameter hasCome: Is called for every job when that is there, by whoever makes it so: by what starts or resumes a task.
    package init(_ hasCome: @escaping @Sendable () -> Void = {}) { self.hasCome = hasCome }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        hasCome()
    }

    /// How many jobs wait.
    package var count: Int { jobs.withLock { $0.count } }

    /// Runs one job, the oldest if no other is asked for.
    ///
    /// - Returns: False if none waits.
    @discardableResult
    package func runOne(_ choose: (Int) -> Int = { _ in 0 }) -> Bool {
        let job = jobs.withLock { jobs in jobs.isEmpty ? nil : jobs.remove(at: choose(jobs.count)) }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    /// Runs jobs until none waits.
    package func run() {
        while runOne() {}
    }

    /// Does something whose tasks shall run here.
    @discardableResult
    package func within<Result>(_ body: () -> Result) -> Result {
        LibraryTask.with(TaskSurroundings(executor: self), body)
    }
}

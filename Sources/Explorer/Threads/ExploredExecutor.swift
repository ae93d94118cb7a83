#if Explore
/// Runs the tasks of an execution, on threads of it that take one job after another.
package final class ExploredExecutor: TaskExecutor, @unchecked Sendable {
    // Sendable: as ExploredWord.
    private var jobs: [UnownedJob] = []
    private var workers = 0
    var isClosed = false

    static let workerLimit = 2

    package init() {}

    var hasWork: Bool { !jobs.isEmpty || isClosed }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard let (_, execution) = ExploredThread.active else {
            fatalError("Explorer: a thread that is in no execution resumes a task of one")
        }
        jobs.append(job)
        if workers < Self.workerLimit {
            workers += 1
            execution.spawn(isDaemon: true) { self.work() }
        }
    }

    private func work() {
        guard let thread = ExploredThread.current else { return }
        while true {
            thread.step(.takeJob(self))
            if jobs.isEmpty { return }
            jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
#endif

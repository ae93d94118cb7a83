#if Explore
/// Runs the tasks of an execution, on its threads, each of which takes one job after another.
package final class ExploredExecutor: TaskExecutor, @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    private let queue: JobQueue
    private let workerLimit = 2

    init(_ execution: Execution) { queue = JobQueue(execution) }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), workerLimit: workerLimit) { $0.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The executor of an actor in an execution. It runs one job at a time, on its own thread.
///
/// An actor of a scenario returns it as its `unownedExecutor`.
package final class ExploredActorExecutor: SerialExecutor, @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    private let queue: JobQueue

    package init() {
        guard let (_, execution) = ExploredThread.active else {
            fatalError("Explorer: the executor of an actor is made by a scenario")
        }
        queue = JobQueue(execution)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.add(UnownedJob(job), workerLimit: 1) { $0.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// The jobs of an executor that have not begun, and the threads that take them.
///
/// A job knows what the thread that enqueued it knew, and what its task knew when it was suspended, because the runtime
/// orders both before the job.
final class JobQueue: @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    private unowned let execution: Execution
    private var jobs: [(job: UnownedJob, knowledge: Knowledge)] = []
    private var workers = 0

    init(_ execution: Execution) { self.execution = execution }

    /// Whether there is a job to take, or no more jobs will come.
    var hasWork: Bool { !jobs.isEmpty || execution.takesNoMoreJobs }

    func add(_ job: UnownedJob, workerLimit: Int, _ run: @escaping (UnownedJob) -> Void) {
        guard let (thread, execution) = ExploredThread.active else {
            fatalError("Explorer: a thread that is in no execution resumes a task of one")
        }
        // The runtime has state of its own for each task.
        execution.dependence.giveUp()
        jobs.append((job, thread.knowledge))
        thread.tick()
        if workers < workerLimit {
            workers += 1
            execution.spawn(isDaemon: true) { self.work(run) }
        }
    }

    private func work(_ run: (UnownedJob) -> Void) {
        guard let (thread, execution) = ExploredThread.active else { return }
        while true {
            thread.step(.takeJob(self))
            if jobs.isEmpty { return }
            let (job, knowledge) = jobs.removeFirst()
            thread.knowledge.join(knowledge)
            // The address of the task, which is the same for all of its jobs.
            let task = unsafeBitCast(job, to: UInt.self)
            if let knowledge = execution.suspended.removeValue(forKey: task) { thread.knowledge.join(knowledge) }
            run(job)
            execution.suspended[task] = thread.knowledge
            thread.tick()
        }
    }
}
#endif

import Dispatch
import HotSignals

/// Runs the jobs of tasks on threads outside Swift's pool, for tests that block the pool.
///
/// Each job has a separate queue: Dispatch gives such a queue a thread at once, while its global queues share the few
/// threads of the pool.
package final class DispatchExecutor: TaskExecutor {
    package static let shared = DispatchExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "DispatchExecutor").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs `body` so that the library's tasks that it starts run here.
    package func within<Result>(_ body: () -> Result) -> Result {
        LibraryTask.with(TaskContext(executor: self), body)
    }
}

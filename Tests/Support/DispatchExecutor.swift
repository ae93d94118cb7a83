import Dispatch
import HotSignals

/// Runs the jobs of tasks on Dispatch's threads, of which there are as many as it takes: for tests that block the threads of Swift's pool.
package final class DispatchExecutor: TaskExecutor {
    package static let shared = DispatchExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Does something whose tasks shall run here.
    package func within<Result>(_ body: () -> Result) -> Result {
        LibraryTask.with(TaskSurroundings(executor: self), body)
    }
}

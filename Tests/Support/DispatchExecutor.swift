package import ColdProducers
import Dispatch
import HotSignals

/// Runs the jobs of tasks on threads outside Swift's pool, for tests that block the pool.
///
/// Each job has a separate queue: Dispatch gives such a queue a thread at once, while its global queues share the few
/// threads of the pool.
package final class DispatchExecutor: TaskExecutor {
    package static let shared = DispatchExecutor()

    /// The executor of the current test if it is ``OffThePool``, otherwise ``shared``.
    package static var current: DispatchExecutor { LibraryTask.context?.executor as? DispatchExecutor ?? .shared }

    private struct Jobs {
        /// The number of jobs so far.
        var begun = 0
        /// The number of jobs that are ready or running.
        var active = 0
        /// The number of jobs that are in `waitUntilIdle()`, and have not been released.
        var waiting = 0
        /// How often they have been released.
        var releases = 0
    }

    private static let key = DispatchSpecificKey<DispatchExecutor>()
    private let jobs = Waitable(Jobs())
    private let change = Condition()

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { jobs in
            jobs.begun += 1
            jobs.active += 1
        }
        let queue = DispatchQueue(label: "DispatchExecutor")
        queue.setSpecific(key: Self.key, value: self)
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.jobs.withLock { $0.active -= 1 }
            self.change.signal()
        }
    }

    /// The number of jobs so far.
    package var begun: Int { jobs.withLock { $0.begun } }

    /// Blocks until no job is ready or running, except those that are in this call.
    package func waitUntilIdle() {
        let isJob = DispatchQueue.getSpecific(key: Self.key) === self
        let former = jobs.withLock { jobs in
            if isJob { jobs.waiting += 1 }
            return jobs.releases
        }
        jobs.withLock(waitingOn: change) { jobs -> Void? in
            if jobs.releases != former { return () }
            guard jobs.active == jobs.waiting else { return nil }
            // All at once: one that returns first and comes back is not to find the others here.
            jobs.waiting = 0
            jobs.releases += 1
            return ()
        }
        change.signal()
    }

    /// Runs `body` so that the library's tasks that it starts run here.
    package func within<Result>(_ body: () -> Result) -> Result {
        LibraryTask.with(TaskContext(executor: self), body)
    }
}

extension SignalProducer {
    /// The same producer with its tasks on Dispatch's threads, because tests block those of Swift's pool.
    package var withTasksOnDispatch: SignalProducer {
        SignalProducer(streamName, contention: contention) { start, sink in
            DispatchExecutor.shared.within { beginWork(of: start, into: sink) }
        }
    }
}

// Tasks on the main thread. On the threads of Swift's pool, the counts vary by some percent.

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the jobs of all tasks when it is asked to. Only one thread uses it.
final class SerialTasks: @unchecked Sendable {
    static let shared = SerialTasks()
    private var jobs: [UnownedJob] = []

    private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void

    /// Replaces the pool of threads by a hook of Swift's runtime.
    private init() {
        jobs.reserveCapacity(100)
        guard let address = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { fatalError("no hook") }
        address.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in SerialTasks.shared.jobs.append(job) }
    }

    /// Runs all jobs, and those that they enqueue.
    func runAll() {
        // What a thread of the pool runs its jobs on: two words that are zero. An executor of our own would make each
        // hop of a task more expensive.
        let executor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
        var next = 0
        while next < jobs.count {
            jobs[next].runSynchronously(on: executor)
            next += 1
        }
        jobs.removeAll(keepingCapacity: true)
    }
}

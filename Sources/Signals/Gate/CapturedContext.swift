/// The task-local values of the thread that creates it, for work that another thread runs.
///
/// Swift has no call that copies all task-locals, but a new task inherits them. So this creates a task whose executor
/// keeps the task's job instead of running it. ``run(_:)`` then runs that job in place, on the calling thread.
///
/// The values are kept until ``run(_:)`` has been called, or until this object is released.
@usableFromInline
package final class CapturedContext: @unchecked Sendable {
    // Sendable: the job is written during `init`, and taken once.

    /// The executor of the task. It keeps the one job that it receives.
    private final class Keeper: TaskExecutor, @unchecked Sendable {
        // Sendable: both are written before the object is shared, or by the one thread that runs the job.
        @exclusivity(unchecked) var job: UnownedJob?
        @exclusivity(unchecked) var work: (() -> Void)?

        func enqueue(_ job: consuming ExecutorJob) { self.job = UnownedJob(job) }
    }

    private let keeper = Keeper()

    /// Captures the task-locals of the caller.
    @usableFromInline
    package init() {
        let keeper = keeper
        Task(executorPreference: keeper) { keeper.work?() }
    }

    private init(empty: Void) {
        let keeper = keeper
        Task.detached(executorPreference: keeper) { keeper.work?() }
    }

    // The runtime does not free a task before its job has run.
    deinit { runJob() }

    private static let flag = ThreadFlag()

    /// Whether the calling thread is inside ``run(_:)``, so that its task-locals belong to another thread.
    package static var isCurrent: Bool { flag.isSet }

    /// Runs `work` on the calling thread, with the captured task-locals. Call at most once.
    @usableFromInline
    package func run(_ work: () -> Void) {
        let isOutermost = !Self.flag.isSet
        withoutActuallyEscaping(work) { work in
            keeper.work = work
            if isOutermost { Self.flag.set(true) }
            runJob()
            if isOutermost { Self.flag.set(false) }
            keeper.work = nil
        }
    }

    /// Runs `work` on the calling thread without any task-locals, except for the library's own: the executor of its
    /// tasks and the counter that counts them.
    @usableFromInline
    package static func runWithout(_ work: () -> Void) {
        let taskContext = LibraryTask.captured
        CapturedContext(empty: ()).run {
            if let taskContext { LibraryTask.enter(taskContext, work) } else { work() }
        }
    }

    private func runJob() {
        // `nil` if the job has already run.
        keeper.job.take()?.runSynchronously(on: keeper.asUnownedTaskExecutor())
    }
}

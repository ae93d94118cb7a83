/// Runs actions as jobs of a serial executor, never before `schedule` returns.
///
/// That is how actions get onto the threads of something else that has an executor, such as an event loop of SwiftNIO, without
/// depending on it:
///
///     let scheduler = ExecutorScheduler(eventLoop.executor)
///     requests.observe(on: scheduler).observeNext { channel.write($0) }
///
/// Each action is one job. They are in the order of scheduling if the executor runs jobs of one priority in the order in which it gets
/// them, as all of them do. An action has the task-locals of the code that scheduled it.
///
/// The scheduler holds the executor.
public final class ExecutorScheduler: Scheduler {
    /// Where actions run.
    public var executor: any SerialExecutor { tenant.executor }
    private let tenant: Tenant
    private let priority: TaskPriority

    /// A scheduler for a serial executor.
    ///
    /// - Parameters:
    ///   - executor: Runs the jobs.
    ///   - priority: That of every job, so that none overtakes another.
    public init(_ executor: any SerialExecutor, priority: TaskPriority = .medium) {
        tenant = Tenant(executor)
        self.priority = priority
    }

    /// Gives the executor a job.
    ///
    /// - Returns: A disposable that keeps the action from running if it has not begun, and releases it at once. The job runs all
    ///   the same, and does nothing.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        LibraryTask.start(on: tenant, priority: priority) { _ in CurrentScheduler.run(on: self) { scheduled.run() } }
        return scheduled
    }
}

/// An actor without state, through which jobs get to an executor.
private actor Tenant {
    nonisolated let executor: any SerialExecutor

    init(_ executor: any SerialExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

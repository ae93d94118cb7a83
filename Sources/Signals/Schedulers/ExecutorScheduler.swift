/// Runs actions as jobs of a serial executor, never inside the call of `schedule`.
///
/// Use it to run actions on the threads of another library that has an executor, such as a SwiftNIO event loop:
///
/// ```swift
/// let scheduler = ExecutorScheduler(eventLoop.executor)
/// requests.observe(on: scheduler).observeNext { channel.write($0) }
/// ```
///
/// Each action is one job. Actions run in the order in which they were scheduled if the executor runs jobs of equal
/// priority in order. An action runs under the task-local values of the code that scheduled it.
///
/// The scheduler retains the executor.
public final class ExecutorScheduler: Scheduler {
    /// The executor that runs the actions.
    public var executor: any SerialExecutor { executorActor.executor }
    private let executorActor: ExecutorActor
    private let priority: TaskPriority

    /// Creates a scheduler for a serial executor.
    ///
    /// - Parameters:
    ///   - executor: Runs the jobs.
    ///   - priority: The priority of every job, so that none overtakes another.
    public init(_ executor: any SerialExecutor, priority: TaskPriority = .medium) {
        executorActor = ExecutorActor(executor)
        self.priority = priority
    }

    /// Gives the executor a job that runs the action.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, and releases it immediately. The job still
    ///   runs, and does nothing.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        LibraryTask.start(on: executorActor, priority: priority) { _ in
            CurrentScheduler.run(on: self) { scheduled.run() }
        }
        return scheduled
    }
}

/// A stateless actor through which jobs reach an executor.
private actor ExecutorActor {
    nonisolated let executor: any SerialExecutor

    init(_ executor: any SerialExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

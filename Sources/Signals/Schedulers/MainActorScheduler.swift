/// Runs actions on the main actor, never inside the call of `schedule`.
///
/// ```swift
/// downloads.observe(on: MainActorScheduler()).observeNext { download in
///     MainActor.assumeIsolated { window.show(download) }
/// }
/// ```
///
/// Like ``QueueScheduler/main``, but uses the executor of the main actor, and carries the task-local values of the code
/// that schedules. An async `main` drains it on every platform; a program without one must drain it. Actions run in the
/// order in which they were scheduled, across all main actor schedulers of the same priority.
public final class MainActorScheduler: Scheduler {
    private let priority: TaskPriority

    /// Creates a scheduler for the main actor.
    ///
    /// - Parameter priority: The priority of every action, so that none overtakes another.
    public init(priority: TaskPriority = .medium) { self.priority = priority }

    /// Adds the action to the jobs that wait for the main actor.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, and releases it immediately.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        LibraryTask.start(on: MainActor.shared, priority: priority) { _ in
            CurrentScheduler.run(on: self) { scheduled.run() }
        }
        return scheduled
    }
}

/// Runs actions on the main actor, never before `schedule` returns.
///
///     downloads.observe(on: MainActorScheduler()).observeNext { download in
///         MainActor.assumeIsolated { window.show(download) }
///     }
///
/// Like ``QueueScheduler/main``, but through the main actor's executor, whatever that is, and with the task-locals of the code that
/// schedules. An async `main` drains it on every platform; a program without one has to. Actions are in the order of scheduling among
/// all main actor schedulers of the same priority.
public final class MainActorScheduler: Scheduler {
    private let priority: TaskPriority

    /// A scheduler for the main actor.
    ///
    /// - Parameter priority: That of every action, so that none overtakes another.
    public init(priority: TaskPriority = .medium) { self.priority = priority }

    /// Puts the action at the end of what waits for the main actor.
    ///
    /// - Returns: A disposable that keeps the action from running if it has not begun, and releases it at once.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        LibraryTask.start(on: MainActor.shared, priority: priority) { _ in
            CurrentScheduler.run(on: self) { scheduled.run() }
        }
        return scheduled
    }
}

/// Runs actions on an actor, never before `schedule` returns.
///
///     actor Cache {
///         var entries = 0
///         func clear() { entries = 0 }
///     }
///
///     let scheduler = ActorScheduler(cache)
///     evictions.observe(on: scheduler).observeNext { _ in
///         cache.assumeIsolated { $0.clear() }
///     }
///
/// Each action is a job of the actor's own: others that wait for the actor have their turn between two. All have the same priority, so
/// that they stay in the order in which they were scheduled, whatever the priorities of the tasks that schedule them. An action has
/// the task-locals of the code that scheduled it.
///
/// To observe from code that is on the actor there is less to write: see ``Signal/observeIsolated(_:)``.
public final class ActorScheduler: Scheduler {
    /// Where actions run.
    public let actor: any Actor
    private let priority: TaskPriority

    /// A scheduler for an actor, which it holds.
    ///
    /// - Parameters:
    ///   - actor: Where actions run, on whatever executor it has.
    ///   - priority: That of every action.
    public init(_ actor: any Actor, priority: TaskPriority = .medium) {
        self.actor = actor
        self.priority = priority
    }

    /// Puts the action at the end of what waits for the actor.
    ///
    /// - Returns: A disposable that keeps the action from running if it has not begun, and releases it at once.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        LibraryTask.start(on: actor, priority: priority) { _ in CurrentScheduler.run(on: self) { scheduled.run() } }
        return scheduled
    }
}

/// Runs actions on an actor, never inside the call of `schedule`.
///
/// ```swift
/// actor Cache {
///     var entries = 0
///     func clear() { entries = 0 }
/// }
///
/// let scheduler = ActorScheduler(cache)
/// evictions.observe(on: scheduler).observeNext { _ in
///     cache.assumeIsolated { $0.clear() }
/// }
/// ```
///
/// Each action is a separate job of the actor, so other jobs can run between two actions. All actions have the same
/// priority and therefore stay in the order in which they were scheduled. An action runs under the task-local values of
/// the code that scheduled it.
///
/// To observe from code that already runs on the actor, ``Signal/observeIsolated(file:line:_:)`` is simpler.
public final class ActorScheduler: Scheduler {
    /// The actor that runs the actions.
    public let actor: any Actor
    private let priority: TaskPriority

    /// Creates a scheduler for an actor, which it retains.
    ///
    /// - Parameters:
    ///   - actor: The actor that runs the actions.
    ///   - priority: The priority of every action.
    public init(_ actor: any Actor, priority: TaskPriority = .medium) {
        self.actor = actor
        self.priority = priority
    }

    /// Adds the action to the jobs that wait for the actor.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, and releases it immediately.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        LibraryTask.start(on: actor, priority: priority) { _ in CurrentScheduler.run(on: self) { scheduled.run() } }
        return scheduled
    }
}

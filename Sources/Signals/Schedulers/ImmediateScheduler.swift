/// Runs each action immediately, on the calling thread, before `schedule` returns.
///
/// Nested actions run inside one another, so recursion deepens the stack: see ``TrampolineScheduler``. Actions
/// scheduled by different threads can run at the same time. ``CurrentScheduler/value`` does not change.
public final class ImmediateScheduler: Scheduler {
    /// Creates an immediate scheduler.
    public init() {}

    /// Runs the action, then returns `nil`.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }
}

/// Runs each action at once, on the calling thread, before `schedule` returns.
///
/// An action that schedules another one runs it nested, so recursion deepens the stack: see ``TrampolineScheduler``. It does
/// not change ``CurrentScheduler/value``.
public final class ImmediateScheduler: Scheduler {
    /// A scheduler that runs actions at once.
    public init() {}

    /// Runs the action before it returns nil.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }
}

/// Runs actions one after the other, in the order in which they were scheduled.
public protocol Scheduler: AnyObject, Sendable {
    /// Schedules an action.
    ///
    /// - Returns: A disposable that keeps the action from running if it has not begun, or nil if it has run already.
    @discardableResult
    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?
}

/// An action that is to run once, unless it is disposed of before. Of the two only one happens.
package final class ScheduledAction: Disposable {
    /// Nil once it has begun or has been disposed of. Released at that moment.
    private let action: Locked<(@Sendable () -> Void)?>

    package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    package var isDisposed: Bool { action.withLock { $0 == nil } }

    package func dispose() { _ = action.withLock { $0.take() } }

    package func run() { action.withLock { $0.take() }?() }

    /// Runs the action and keeps it for another run.
    package func runAgain() { action.withLock { $0 }?() }
}

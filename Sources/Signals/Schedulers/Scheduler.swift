/// Runs actions on a thread, a queue or an actor.
///
/// Except for ``ImmediateScheduler``, schedulers run one action at a time, in the order in which they were scheduled.
public protocol Scheduler: AnyObject, Sendable {
    /// Schedules an action.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, or `nil` if it has already run.
    @discardableResult
    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?
}

/// An action that is to run once, unless it is disposed of before. Of the two only one happens.
///
/// Without a lock: one word says who may touch the action. The lowest bit is set when no run begins any more, by a disposal or by
/// the one run; the rest counts the runs in progress. Whoever brings the word to where the bit is set and nothing runs has the
/// action to himself, and releases it.
package final class ScheduledAction: Disposable, @unchecked Sendable {
    // Sendable: the word guards the action.
    private let word = AtomicWord(0)
    /// Nil once it has been released.
    @exclusivity(unchecked) private var action: (@Sendable () -> Void)?
    private let owner = Owner(of: "a scheduled action")

    private static let closed: UInt = 1
    private static let running: UInt = 2

    package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Whether no run begins any more.
    package var isDisposed: Bool { word.load() & Self.closed != 0 }

    package func dispose() {
        guard word.set(Self.closed) == 0 else { return }
        owner.writes()
        action = nil
    }

    /// Runs the action, if it has not run, and releases it at the end.
    package func run() {
        guard word.acquire(from: 0, to: Self.closed) else { return }
        owner.writes()
        action.take()?()
    }

    /// Runs the action and keeps it for another run.
    package func runAgain() {
        while true {
            let seen = word.loadRelaxed()
            if seen & Self.closed != 0 { return }
            // More than one runs where the action has itself run again.
            if word.acquire(from: seen, to: seen &+ Self.running) { break }
        }
        owner.reads()
        action?()
        while true {
            let seen = word.load()
            if seen == Self.closed | Self.running {
                // Disposed of meanwhile, and this was the last run.
                owner.writes()
                action = nil
                return
            }
            if word.release(from: seen, to: seen &- Self.running) { return }
        }
    }
}

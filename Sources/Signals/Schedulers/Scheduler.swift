/// Runs actions on a thread, a queue or an actor.
///
/// Except for ``ImmediateScheduler``, schedulers run one action at a time, in the order in which they were scheduled.
///
/// A scheduler of your own that is shut down should release the actions that it will not run. A stream that waits for
/// such an action is then interrupted on a thread of the library, and releases everything that it holds, so code that
/// awaits it goes on. As long as the scheduler keeps an action, the stream waits. Without their timers, a cache forgets
/// its values, shared work whose grace period is measured ends, and a rate limiter turns away those that wait. An open
/// circuit breaker admits a trial when its time has come, but its state changes only then.
public protocol Scheduler: AnyObject, Sendable {
    /// Schedules an action.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, or `nil` if it has already run.
    @discardableResult
    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?

    /// Whether actions run without the task-local values of the code that schedules them, as on a dispatch queue.
    ///
    /// An operator that delivers the events of several senders in one action then need not remove these values, so that
    /// no observer sees those of another sender. That costs a Swift task for each action. By default false, which is
    /// always right.
    var dropsTaskLocals: Bool { get }
}

extension Scheduler {
    /// Whether each action runs on the thread that schedules it.
    package var hasNoThread: Bool {
        let type = type(of: self)
        return type == ImmediateScheduler.self || type == TrampolineScheduler.self
    }
}

/// An action that runs once, unless it is disposed of first. Only one of the two happens.
///
/// Lock-free: one word determines which thread may access the action. The lowest bit is set when no further run can
/// begin, either by a disposal or by the single run. The other bits count the runs in progress. The thread that closes
/// an idle word, or ends the last run of a closed one, owns the action and releases it.
package class ScheduledAction: Disposable, @unchecked Sendable {
    // Sendable: the word guards the action.
    private let word = AtomicWord(0)
    /// `nil` once released.
    @exclusivity(unchecked) private var action: (@Sendable () -> Void)?
    private let owner = Owner(of: "a scheduled action")

    private static let closed: UInt = 1
    private static let running: UInt = 2

    package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    /// Whether no further run can begin.
    package var isDisposed: Bool { word.load() & Self.closed != 0 }

    package func dispose() {
        guard word.set(Self.closed) == 0 else { return }
        owner.writes()
        action = nil
    }

    /// Runs the action unless it has run or been disposed of, and releases it afterwards.
    package func run() {
        guard word.compareExchangeAcquiring(from: 0, to: Self.closed) else { return }
        owner.writes()
        action.take()?()
    }

    /// Runs the action unless it has been disposed of, and keeps it for another run.
    package func runAgain() {
        while true {
            let seen = word.loadRelaxed()
            if seen & Self.closed != 0 { return }
            // Several runs are in progress at the same time if the action causes another run of itself.
            if word.compareExchangeAcquiring(from: seen, to: seen &+ Self.running) { break }
        }
        owner.reads()
        action?()
        while true {
            let seen = word.load()
            if seen == Self.closed | Self.running {
                // Disposed of in the meantime, and this was the last run in progress.
                owner.writes()
                action = nil
                return
            }
            if word.compareExchangeReleasing(from: seen, to: seen &- Self.running) { return }
        }
    }
}

/// A scheduler that may be known not to pass on task-locals.
///
/// Operators ask, as they deliver events of several senders in one action: where that action has the task-locals of the code that scheduled
/// it, it would show them to the observers of other senders' events.
package protocol TaskLocalDropping: Scheduler {
    /// Whether an action runs without the task-locals of the code that schedules it.
    var dropsTaskLocals: Bool { get }
}

extension Scheduler {
    /// Whether an action may run under the task-locals of the code that schedules it. Unknown schedulers may do so.
    @usableFromInline
    package var mayCarryTaskLocals: Bool { !((self as? any TaskLocalDropping)?.dropsTaskLocals ?? false) }

    /// Runs what an operator does in an action for several senders, under the task-locals of none.
    @usableFromInline
    package func runWithoutTaskLocals(_ work: () -> Void) {
        if mayCarryTaskLocals { CapturedContext.runWithout(work) } else { work() }
    }
}

/// A scheduler that can tell whether it carries task-locals.
///
/// Operators that deliver events of several senders in one action need to know. If the action ran under the task-locals
/// of the code that scheduled it, the observers of other senders' events would see those.
package protocol TaskLocalDropping: Scheduler {
    /// Whether an action runs without the task-locals of the code that schedules it.
    var dropsTaskLocals: Bool { get }
}

extension Scheduler {
    /// Whether an action may run under the task-locals of the code that schedules it. Unknown schedulers may do so.
    @usableFromInline
    package var mayCarryTaskLocals: Bool { !((self as? any TaskLocalDropping)?.dropsTaskLocals ?? false) }

    /// Runs work that serves several senders in one action, under the task-locals of none of them.
    @usableFromInline
    package func runWithoutTaskLocals(_ work: () -> Void) {
        if mayCarryTaskLocals { CapturedContext.runWithout(work) } else { work() }
    }
}

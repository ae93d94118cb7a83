extension Scheduler {
    /// False: an action may run under the task-local values of the code that schedules it.
    public var dropsTaskLocals: Bool { false }

    /// Runs work that serves several senders in one action, under the task-locals of none of them.
    @usableFromInline
    package func runWithoutTaskLocals(_ work: () -> Void) {
        if dropsTaskLocals { work() } else { CapturedContext.runWithout(work) }
    }
}

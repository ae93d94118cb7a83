/// Runs actions on the calling thread, with nested actions after the current one rather than inside it.
///
/// This turns recursion into iteration, so the stack does not grow. The outermost `schedule` returns after every action
/// it led to has run. A nested `schedule` returns immediately. If another thread schedules an action in the meantime,
/// the thread that is running actions runs it in turn, so actions are serial. If others schedule actions all the time,
/// a thread of the library takes over after a few dozen.
public final class TrampolineScheduler: Scheduler {
    private struct State {
        var pending: [ScheduledAction] = []
        /// The thread that is running actions, or ``noThread``.
        var runner: UInt?
        /// The number of pending actions that the runner has scheduled.
        var own = 0
        /// The number of actions that others have scheduled since the runner began.
        var others = 0
    }

    /// The runner while a thread of the library is about to take over.
    private static let noThread: UInt = 0

    private let state = Locked(State())

    /// Creates a scheduler with an empty queue.
    public init() {}

    /// Runs the action, or adds it to the end of the queue if another action is running.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, or `nil` if it has run.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let thread = ThreadIdentity.current
        // If another thread is running actions, it also runs this one, but under the task-locals of the calling thread. A
        // passive thread may leave it to a thread of the library.
        var mustCapture = PassiveSection.isCurrent || state.withLock { $0.runner != nil && $0.runner != thread }
        while true {
            let scheduled = ScheduledAction(mustCapture ? Self.inContext(action) : action)
            let isRunner = state.withLock { state -> Bool? in
                if let runner = state.runner, runner != thread, !mustCapture { return nil }
                state.pending.append(scheduled)
                if state.runner == nil || state.runner == thread { state.own += 1 } else { state.others += 1 }
                guard state.runner == nil else { return false }
                state.runner = thread
                return true
            }
            guard let isRunner else {
                mustCapture = true
                continue
            }
            if isRunner { runPending() }
            // A passive thread leaves its own action to a thread of the library if others have added actions meanwhile.
            return isRunner && scheduled.isDisposed ? nil : scheduled
        }
    }

    /// Wraps the action so that it runs under the caller's task-locals.
    private static func inContext(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let context = CapturedContext()
        return { context.run(action) }
    }

    private func runPending() {
        var isLeft = false
        // Inside a disposal or the body of a `modify`, the thread does nothing for others.
        let isPassive = PassiveSection.isCurrent
        CurrentScheduler.run(on: self) {
            while !isLeft {
                let batch = state.withLock { state -> [ScheduledAction] in
                    let isEnough = isPassive ? state.others > 0 : state.own == 0 && state.others > ForeignWork.limit
                    isLeft = isEnough && !state.pending.isEmpty
                    if isLeft {
                        state.runner = Self.noThread
                        return []
                    }
                    defer { state.pending = [] }
                    state.own = 0
                    if state.pending.isEmpty { (state.runner, state.others) = (nil, 0) }
                    return state.pending
                }
                if batch.isEmpty { return }
                for action in batch { action.run() }
            }
        }
        if isLeft { LibraryThread.run { self.runRest() } }
    }

    private func runRest() {
        let thread = ThreadIdentity.current
        state.withLock { ($0.runner, $0.others) = (thread, 0) }
        runPending()
    }
}

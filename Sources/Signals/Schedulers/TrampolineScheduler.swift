/// Runs actions on the calling thread, with nested actions after the current one rather than inside it.
///
/// This turns recursion into iteration, so the stack does not grow. The outermost `schedule` returns after every action
/// it led to has run. A nested `schedule` returns immediately. If another thread schedules an action in the meantime,
/// the thread that is running actions runs it in turn, so actions are serial.
public final class TrampolineScheduler: Scheduler {
    private struct State {
        var pending: [ScheduledAction] = []
        /// The thread that is running actions.
        var runner: UInt?
    }

    private let state = Locked(State())

    /// Creates a scheduler with an empty queue.
    public init() {}

    /// Runs the action, or adds it to the end of the queue if another action is running.
    ///
    /// - Returns: `nil` if the action has run.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let thread = ThreadIdentity.current
        // If another thread is running actions, it also runs this one, but under the task-locals of the calling thread.
        var mustCapture = state.withLock { $0.runner != nil && $0.runner != thread }
        while true {
            let scheduled = ScheduledAction(mustCapture ? Self.inContext(action) : action)
            let isRunner = state.withLock { state -> Bool? in
                if let runner = state.runner, runner != thread, !mustCapture { return nil }
                state.pending.append(scheduled)
                guard state.runner == nil else { return false }
                state.runner = thread
                return true
            }
            guard let isRunner else {
                mustCapture = true
                continue
            }
            guard isRunner else { return scheduled }
            break
        }
        CurrentScheduler.run(on: self) { runPending() }
        return nil
    }

    /// Wraps the action so that it runs under the caller's task-locals.
    private static func inContext(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let context = CapturedContext()
        return { context.run(action) }
    }

    private func runPending() {
        while true {
            let batch = state.withLock { state in
                defer { state.pending = [] }
                if state.pending.isEmpty { state.runner = nil }
                return state.pending
            }
            if batch.isEmpty { return }
            for action in batch { action.run() }
        }
    }
}

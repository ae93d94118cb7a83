/// Runs actions on the calling thread; one that is scheduled from inside another runs after it, not within it.
///
/// Recursion becomes iteration: the stack does not grow. The first `schedule` returns when everything that it led to has
/// run; a nested one returns at once. An action that another thread schedules meanwhile runs on the thread that is at work,
/// in its turn, so that actions are serial.
public final class TrampolineScheduler: Scheduler {
    private struct State {
        var pending: [ScheduledAction] = []
        /// The thread that is running actions.
        var runner: UInt?
    }

    private let state = Locked(State())

    /// A scheduler with an empty queue.
    public init() {}

    /// Runs the action, or puts it at the end of the queue if one is running.
    ///
    /// - Returns: Nil if it has run.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let thread = ThreadIdentity.current
        // Another thread that is at work will run it: under the task-locals of this one all the same.
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

    /// The action with the caller's task-locals in force while it runs.
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

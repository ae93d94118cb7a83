extension Scheduler {
    /// Runs an action that can schedule itself again, any number of times, without recursion.
    ///
    /// Each call of `reschedule` adds the action to the end of the scheduler's queue. An ``ImmediateScheduler`` has no
    /// queue, so there the calls made during a run take effect after that run returns. The stack does not grow on any
    /// scheduler.
    ///
    /// ```swift
    /// scheduler.scheduleRecursive { reschedule in
    ///     if let job = jobs.next() {
    ///         job.run()
    ///         reschedule()
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter action: Receives the closure that schedules it again. You can store that closure and call it later,
    ///   from any thread.
    /// - Returns: A disposable. No run begins after its disposal.
    @discardableResult
    public func scheduleRecursive(
        _ action: @escaping @Sendable (_ reschedule: @escaping @Sendable () -> Void) -> Void
    ) -> (any Disposable)? {
        let recursion = Recursion(scheduler: self, action: action)
        recursion.schedule()
        return recursion
    }
}

/// An action that can schedule itself again.
private final class Recursion: Disposable {
    private struct State {
        /// `nil` once disposed of.
        var action: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        /// Requested runs that are not scheduled yet. The thread that is calling `schedule` on the scheduler takes them
        /// when that call returns. If the scheduler runs actions inline, that call is further up the stack.
        var owed = 0
        var isScheduling = false
        /// The run that was scheduled last.
        var scheduled: (any Disposable)?
    }

    private let state: Locked<State>
    private let scheduler: any Scheduler

    init(scheduler: any Scheduler, action: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.scheduler = scheduler
        state = Locked(State(action: action))
    }

    var isDisposed: Bool { state.withLock { $0.action == nil } }

    func dispose() {
        let dropped = state.withLock { ($0.action.take(), $0.scheduled.take()) }
        dropped.1?.dispose()
    }

    func schedule() {
        let mustSchedule = state.withLock { state in
            guard state.action != nil else { return false }
            state.owed += 1
            defer { state.isScheduling = true }
            return !state.isScheduling
        }
        guard mustSchedule else { return }
        while takeOwed() {
            let disposable = scheduler.schedule { self.run() }
            let (isDisposed, former) = state.withLock { state -> (Bool, (any Disposable)?) in
                guard state.action != nil else { return (true, nil) }
                defer { state.scheduled = disposable }
                return (false, state.scheduled)
            }
            if isDisposed { disposable?.dispose() }
            // Released outside the lock.
            withExtendedLifetime(former) {}
        }
    }

    /// Takes a requested run. Returns whether there was one.
    private func takeOwed() -> Bool {
        state.withLock { state in
            guard state.owed > 0, state.action != nil else {
                state.isScheduling = false
                return false
            }
            state.owed -= 1
            return true
        }
    }

    private func run() {
        let action = state.withLock { $0.action }
        action? { [self] in schedule() }
    }
}

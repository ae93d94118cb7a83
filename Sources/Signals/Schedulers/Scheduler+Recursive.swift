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

/// An action that schedules itself.
private final class Recursion: Disposable {
    private struct State {
        /// Nil once disposed of.
        var action: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        /// Runs that were asked for while a call of `schedule` on the scheduler was under way. That call may be one level
        /// up the stack, if the scheduler runs inline: it then makes up for them.
        var owed = 0
        var isScheduling = false
        /// What has been scheduled and has not begun.
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

    /// Whether there is a run to be scheduled.
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

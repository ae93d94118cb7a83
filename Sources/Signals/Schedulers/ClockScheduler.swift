/// Runs actions at instants of a clock, one at a time, never inside the call of `schedule`.
///
/// ```swift
/// let scheduler = ClockScheduler(ContinuousClock())
/// queries.debounce(.milliseconds(300), on: scheduler)
/// ```
///
/// Takes any clock whose durations are `Duration`: the two clocks of the system, or a clock that a test controls. With
/// `ContinuousClock`, time continues while the system sleeps, unlike with a ``QueueScheduler``.
///
/// Actions run in the order in which they are due, and those due at the same instant in the order in which they were
/// scheduled, also if they repeat. They run in tasks of the library. One task at a time sleeps on the clock until the
/// first action is due, and is woken if an earlier one is scheduled. If the clock's `sleep` throws without having been
/// cancelled, waiting actions are left to the next call of `schedule`.
///
/// Scheduled actions run even if you release the scheduler and the disposables. The scheduler is released after the
/// last action.
///
/// An action can rely only on the task-local values that the scheduler is told to carry, with
/// ``init(_:priority:propagating:_:)``, because one task runs actions of several senders.
public final class ClockScheduler<C: Clock>: DelayScheduler, SystemTimed where C.Duration == Duration {
    /// The clock.
    public let clock: C

    /// Instants are counted from here as durations, so that comparing them calls no user code.
    private let origin: C.Instant
    private let propagated: PropagatedTaskLocals
    private let state = Locked(ClockSchedule())

    private let priority: TaskPriority

    private init(_ clock: C, _ priority: TaskPriority, _ propagated: PropagatedTaskLocals) {
        self.clock = clock
        self.priority = priority
        self.propagated = propagated
        origin = clock.now
    }

    /// Creates a scheduler that uses a clock.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - priority: The priority of the tasks that run actions.
    public convenience init(_ clock: C, priority: TaskPriority = .medium) {
        self.init(clock, priority, PropagatedTaskLocals())
    }

    /// Creates a scheduler that uses a clock and carries task-local values to its actions.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - priority: The priority of the tasks that run actions.
    ///   - first: A task-local value to carry: see ``QueueScheduler/init(qos:name:targeting:propagating:_:)``.
    ///   - others: More task-local values.
    public convenience init<First: Sendable, each Other: Sendable>(
        _ clock: C, priority: TaskPriority = .medium, propagating first: TaskLocal<First>,
        _ others: repeat TaskLocal<each Other>
    ) {
        self.init(clock, priority, PropagatedTaskLocals(first, repeat each others))
    }

    /// The current instant of the clock.
    public var now: C.Instant { clock.now }

    /// Whether the scheduler carries no task-local values: it has been created without a list of these.
    public var dropsTaskLocals: Bool { propagated.areNone }

    package var systemClock: SystemClock? {
        if C.self == SuspendingClock.self { return .suspending }
        return C.self == ContinuousClock.self ? .continuous : nil
    }

    private var offset: Duration { origin.duration(to: clock.now) }

    /// The number of scheduled actions, some of which may have been disposed of.
    package var waitingCount: Int { state.withLock { $0.count } }

    /// Runs the action as soon as possible, after all actions that are already due.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, and releases it immediately.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(after: .zero, interval: nil, leeway: .zero, action)
    }

    /// Runs the action after the delay.
    ///
    /// The leeway is the tolerance of the sleeping task, unless it would make another action late.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        add(after: delay, interval: nil, leeway: leeway, action)
    }

    /// Runs the action at each of the instants.
    ///
    /// If several instants have passed by the time it can run, because an action took long or the clock jumped, it runs
    /// once.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(interval > .zero, "ClockScheduler.schedule(interval: \(interval)): the interval must be positive")
        return add(after: delay, interval: interval, leeway: leeway, action)
    }

    private func add(
        after delay: Duration, interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let timer = ClockTimer(interval: interval, leeway: leeway, propagated.carried(by: action)) {
            [weak self] in self?.sweep()
        }
        let now = offset
        carryOut(
            change { schedule in
                schedule.insert(timer, at: now + delay.limitedForSums)
                return schedule.decide(now)
            })
        return timer
    }

    /// Removes a timer that has been disposed of, and no longer sleeps for it.
    private func sweep() {
        let now = offset
        carryOut(
            change { schedule in
                schedule.hasDisposed()
                return schedule.decide(now)
            })
    }

    private func change<Result>(_ body: (inout ClockSchedule) -> Result) -> Result {
        let (result, dropped) = state.withLock { (body(&$0), $0.takeDropped()) }
        // Released outside the lock.
        withExtendedLifetime(dropped) {}
        return result
    }

    // MARK: Outside the lock

    private func carryOut(_ step: ClockSchedule.Step) {
        switch step {
        case .nothing: break
        case .wake(let former): former?.dispose()
        case .run(let taskContext):
            LibraryTask.start(priority: priority, in: taskContext, inheriting: false) { self.run() }
        case .sleep(let sleep, let taskContext, let former):
            former?.dispose()
            // Instants in the far future may be beyond the range of the clock.
            let deadline = origin.advanced(by: min(sleep.deadline, offset + ClockSchedule.longestSleep))
            let tolerance = min(sleep.latest - sleep.deadline, ClockSchedule.longestSleep)
            let task = LibraryTask.start(priority: priority, in: taskContext, inheriting: false) {
                var isInTime = true
                do {
                    try await self.clock.sleep(until: deadline, tolerance: tolerance)
                } catch {
                    isInTime = false
                }
                if self.change({ $0.hasAwoken(sleep.number, isInTime: isInTime) }) { self.run() }
            }
            let isSuperseded = state.withLock { state in
                // A task that has already awoken may be running actions, which must not run in a cancelled task.
                guard state.sleeper?.sleep.number == sleep.number else { return state.lastAwoken != sleep.number }
                state.sleeper?.task = task
                return false
            }
            if isSuperseded { task.dispose() }
        }
    }

    /// Runs the due actions. No other task runs any at the same time.
    private func run() {
        while true {
            let now = offset
            let (timer, step) = change { $0.takeDue(now) }
            guard let timer else { return carryOut(step) }
            CurrentScheduler.run(on: self) { timer.fire() }
        }
    }
}

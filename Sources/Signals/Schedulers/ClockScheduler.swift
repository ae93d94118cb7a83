/// Runs actions at moments of a clock, one at a time, never before `schedule` returns.
///
///     let scheduler = ClockScheduler(ContinuousClock())
///     queries.debounce(.milliseconds(300), on: scheduler)
///
/// Any clock will do whose durations are `Duration`: the system's two, or one that a test moves by hand. With
/// `ContinuousClock` time goes on while the system sleeps, other than with a ``QueueScheduler``.
///
/// Actions run in the order of the moments at which they are due, and for the same moment in the order in which they were scheduled, in
/// tasks of the library's. One task at a time sleeps on the clock, for what is due first; it is woken when something
/// is due before that. A clock whose `sleep` fails, though nobody has cancelled it, leaves what waits to the next call of `schedule`.
///
/// What is scheduled stays so when the scheduler and the disposables are let go of; the scheduler goes with the last action.
///
/// An action can rely on those task-locals only that the scheduler is told to carry, with ``init(_:priority:propagating:_:)``: one task
/// runs actions for many.
public final class ClockScheduler<C: Clock>: DelayScheduler where C.Duration == Duration {
    /// The clock whose time counts.
    public let clock: C

    /// From where moments are counted, so that no user's code is needed to compare them.
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

    /// A scheduler on a clock.
    ///
    /// - Parameters:
    ///   - clock: The clock whose time counts.
    ///   - priority: That of the tasks which run actions.
    public convenience init(_ clock: C, priority: TaskPriority = .medium) {
        self.init(clock, priority, PropagatedTaskLocals())
    }

    /// A scheduler on a clock, which carries task-locals to its actions.
    ///
    /// - Parameters:
    ///   - clock: The clock whose time counts.
    ///   - priority: That of the tasks which run actions.
    ///   - first: A task-local to carry: see ``QueueScheduler/init(qos:name:targeting:propagating:_:)``.
    ///   - others: More of them.
    public convenience init<First: Sendable, each Other: Sendable>(
        _ clock: C, priority: TaskPriority = .medium, propagating first: TaskLocal<First>,
        _ others: repeat TaskLocal<each Other>
    ) {
        self.init(clock, priority, PropagatedTaskLocals(first, repeat each others))
    }

    /// The present moment of the clock.
    public var now: C.Instant { clock.now }

    private var offset: Duration { origin.duration(to: clock.now) }

    /// How much is scheduled, and has perhaps been disposed of.
    package var waitingCount: Int { state.withLock { $0.count } }

    /// Runs the action as soon as possible, after all that are due already.
    ///
    /// - Returns: A disposable that keeps the action from running if it has not begun, and releases it at once.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(after: .zero, interval: nil, leeway: .zero, action)
    }

    /// Runs the action when the time has come.
    ///
    /// The leeway is the tolerance with which the task sleeps, as far as no other action would be late.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        add(after: delay, interval: nil, leeway: leeway, action)
    }

    /// Runs the action at each of the moments.
    ///
    /// Of the moments that have passed when it is its turn, because an action took long or the clock has leapt, only one counts.
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
        let timer = ClockTimer(interval: interval, leeway: max(leeway, .zero), propagated.carried(by: action)) {
            [weak self] in self?.sweep()
        }
        let now = offset
        carryOut(
            change { schedule in
                schedule.insert(timer, at: now + max(delay, .zero))
                return schedule.decide(now)
            })
        return timer
    }

    /// Forgets a timer that has been disposed of, and no longer sleeps for it.
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
        case .run(let surroundings): LibraryTask.start(priority: priority, in: surroundings) { self.run() }
        case .sleep(let sleep, let surroundings, let former):
            former?.dispose()
            // Far moments may be beyond what the clock can take.
            let deadline = origin.advanced(by: min(sleep.deadline, offset + ClockSchedule.longestSleep))
            let task = LibraryTask.start(priority: priority, in: surroundings) {
                var isInTime = true
                do {
                    try await self.clock.sleep(until: deadline, tolerance: sleep.latest - sleep.deadline)
                } catch {
                    isInTime = false
                }
                if self.change({ $0.hasAwoken(sleep.number, isInTime: isInTime) }) { self.run() }
            }
            let isSuperseded = state.withLock { state in
                // One that has awoken already may be running actions: these are not to run in a task that is cancelled.
                guard state.sleeper?.sleep.number == sleep.number else { return state.lastAwoken != sleep.number }
                state.sleeper?.task = task
                return false
            }
            if isSuperseded { task.dispose() }
        }
    }

    /// Runs what is due, as the only one that does.
    private func run() {
        while true {
            let now = offset
            let (timer, step) = change { $0.takeDue(now) }
            guard let timer else { return carryOut(step) }
            CurrentScheduler.run(on: self) { timer.run() }
        }
    }
}

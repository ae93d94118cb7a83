/// What a ``ClockScheduler`` has to do, and what it is doing. Instants are durations since the creation of the
/// scheduler.
///
/// The transitions run under the scheduler's lock and return what to do outside it.
struct ClockSchedule {
    /// A sleep of a task on the clock.
    struct Sleep {
        /// The position in the sequence of sleeps, which identifies it.
        let number: UInt
        let deadline: Duration
        /// When the task must have awoken.
        let latest: Duration
    }

    enum Step {
        case nothing
        /// Nothing is left to sleep for: cancel the task that sleeps.
        case wake((any Disposable)?)
        /// Start a task that runs the due actions.
        case run(TaskContext)
        /// Start a task that sleeps, and end the previous sleep.
        case sleep(Sleep, TaskContext, (any Disposable)?)
    }

    /// No task sleeps longer than ten years at a time.
    static var longestSleep: Duration { .seconds(315_576_000) }

    private var queue = TimerQueue<ClockTimer>()
    /// Whether a task is running the due actions, or is about to. It examines the queue again when they have run.
    private var isRunning = false
    /// The current sleep, and its task once that is known.
    var sleeper: (sleep: Sleep, task: (any Disposable)?)?
    private var sleeps: UInt = 0
    /// The number of the last sleep that ended without having been replaced.
    private(set) var lastAwoken: UInt = 0

    /// The number of scheduled timers, some of which may have been disposed of.
    var count: Int { queue.count }

    mutating func insert(_ timer: ClockTimer, at due: Duration) { queue.insert(timer, at: due) }

    /// Determines what to do after a change of the queue.
    mutating func decide(_ now: Duration) -> Step {
        // The task that is running actions will examine the queue.
        if isRunning { return .nothing }
        // No task sleeps for a timer that has been disposed of.
        guard let first = queue.first else {
            guard let former = sleeper else { return .nothing }
            sleeper = nil
            return .wake(former.task)
        }
        if first.due <= now {
            isRunning = true
            // A task that is asleep can stay asleep.
            return .run(first.action.executionContext)
        }
        let latest = queue.findLatest(first)
        if let sleep = sleeper?.sleep, sleep.deadline == first.due, sleep.latest <= latest { return .nothing }
        sleeps += 1
        let former = sleeper?.task
        let sleep = Sleep(number: sleeps, deadline: first.due, latest: latest)
        sleeper = (sleep, nil)
        return .sleep(sleep, first.action.executionContext, former)
    }

    /// Ends a sleep. Returns whether its task must run the due actions.
    ///
    /// - Parameter isInTime: `false` if the sleep has failed.
    mutating func hasAwoken(_ number: UInt, isInTime: Bool) -> Bool {
        // Otherwise another task sleeps in its place, or there is nothing to sleep for.
        guard sleeper?.sleep.number == number else { return false }
        sleeper = nil
        lastAwoken = number
        guard isInTime, !isRunning else { return false }
        isRunning = true
        return true
    }

    /// Returns the next timer to run. If none is due, returns `nil` and the next step: no task is running actions any
    /// more.
    mutating func takeDue(_ now: Duration) -> (ClockTimer?, Step) {
        guard let timer = queue.takeDue(now, now: now) else {
            isRunning = false
            return (nil, decide(now))
        }
        return (timer, .nothing)
    }

    mutating func hasDisposed() { queue.hasDisposed() }

    /// Returns the timers removed since the last call. Release them where no lock is held.
    mutating func takeDropped() -> [ClockTimer] { queue.takeDropped() }
}

/// An action of a ``ClockScheduler``.
final class ClockTimer: TimedAction, @unchecked Sendable {
    // Sendable: all fields are constants.

    /// The task context of the code that scheduled the action.
    private let taskContext = LibraryTask.context ?? TaskContext()
    private let sweep: @Sendable () -> Void

    /// - Parameter sweep: Called after a disposal.
    init(
        interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void,
        sweep: @escaping @Sendable () -> Void
    ) {
        self.sweep = sweep
        super.init(interval: interval, leeway: leeway, action)
    }

    /// The task context of a task that sleeps or runs actions for this timer. It contains only the executor: a
    /// scheduler serves many callers, so no scope waits for its tasks.
    var executionContext: TaskContext { TaskContext(executor: taskContext.executor) }

    override func hasBeenDisposed() { sweep() }

    override func fire() { LibraryTask.with(taskContext) { super.fire() } }
}

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

    /// The maximum number of timers that are examined to determine how long a sleep may last.
    private static var maximumLooks: Int { 256 }

    /// The timers by the instants at which they are due.
    private var queue = PriorityQueue<Duration, ClockTimer>()
    /// A lower bound: no scheduled timer is late before this instant. `nil` if unknown.
    private var knownLatest: Duration?
    /// The number of timers that have been disposed of and may still be in the queue.
    private var disposed = 0
    private var dropped: [ClockTimer] = []
    /// Whether a task is running the due actions, or is about to. It examines the queue again when they have run.
    private var isRunning = false
    /// The current sleep, and its task once that is known.
    var sleeper: (sleep: Sleep, task: (any Disposable)?)?
    private var sleeps: UInt = 0
    /// The number of the last sleep that ended without having been replaced.
    private(set) var lastAwoken: UInt = 0

    /// The number of scheduled timers, some of which may have been disposed of.
    var count: Int { queue.count }

    /// - Parameter number: The number of the first insertion, for a timer that repeats.
    mutating func insert(_ timer: ClockTimer, at due: Duration, as number: UInt? = nil) {
        if let number { queue.insert(timer, at: due, as: number) } else { queue.insert(timer, at: due) }
        if let known = knownLatest { knownLatest = min(known, due + timer.leeway) }
    }

    /// Determines what to do after a change of the queue.
    mutating func decide(_ now: Duration) -> Step {
        // The task that is running actions will examine the queue.
        if isRunning { return .nothing }
        // No task sleeps for a timer that has been disposed of.
        while let first = queue.first, first.element.isDisposed {
            queue.popFirst()
            dropped.append(first.element)
        }
        guard let first = queue.first else {
            guard let former = sleeper else { return .nothing }
            sleeper = nil
            return .wake(former.task)
        }
        if first.key <= now {
            isRunning = true
            // A task that is asleep can stay asleep.
            return .run(first.element.executionContext)
        }
        let latest = findLatest(first)
        if let sleep = sleeper?.sleep, sleep.deadline == first.key, sleep.latest <= latest { return .nothing }
        sleeps += 1
        let former = sleeper?.task
        let sleep = Sleep(number: sleeps, deadline: first.key, latest: latest)
        sleeper = (sleep, nil)
        return .sleep(sleep, first.element.executionContext, former)
    }

    /// Returns the instant by which a task must have awoken so that no timer is late.
    ///
    /// The known bound stays valid when a timer is removed, though it may no longer be exact. It is used until the
    /// first timer is due after it. So the queue is examined only now and then, not at every change. No more than
    /// `maximumLooks` timers are examined; beyond that, the sleep ends earlier than necessary.
    private mutating func findLatest(_ first: (key: Duration, element: ClockTimer)) -> Duration {
        if let known = knownLatest, known >= first.key { return known }
        var latest = first.key + first.element.leeway
        var looks = Self.maximumLooks
        queue.descend { due, timer in
            guard due < latest else { return false }
            guard looks > 0 else {
                // The timers below are not due before this instant, so none of them is late by then.
                latest = due
                return false
            }
            looks -= 1
            latest = min(latest, due + timer.leeway)
            return true
        }
        knownLatest = latest
        return latest
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
        let number = queue.firstNumber
        guard let (due, timer) = queue.popFirst(through: now) else {
            isRunning = false
            return (nil, decide(now))
        }
        // Inserted before the action runs, so that the action can dispose of it.
        if let next = timer.next(after: due, now) { insert(timer, at: next, as: number) }
        return (timer, .nothing)
    }

    /// Counts a disposed timer. Removes all of them from the queue when they are more than 16 and more than half of it.
    mutating func hasDisposed() {
        disposed += 1
        guard disposed > 16, disposed > queue.count / 2 else { return }
        dropped += queue.removeAll { $0.isDisposed }
        disposed = 0
    }

    /// Returns the timers removed since the last call. Release them where no lock is held.
    mutating func takeDropped() -> [ClockTimer] {
        defer { dropped = [] }
        return dropped
    }
}

/// An action of a ``ClockScheduler``.
final class ClockTimer: Disposable {
    private let action: ScheduledAction
    /// `nil` to run once.
    private let interval: Duration?
    let leeway: Duration
    /// The task context of the code that scheduled the action.
    private let taskContext: TaskContext
    private let hasBeenDisposed: @Sendable () -> Void

    init(
        interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void,
        hasBeenDisposed: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.leeway = leeway
        self.action = ScheduledAction(action)
        self.hasBeenDisposed = hasBeenDisposed
        taskContext = LibraryTask.context ?? TaskContext()
    }

    /// The task context of a task that sleeps or runs actions for this timer. It contains only the executor: a
    /// scheduler serves many callers, so no scope waits for its tasks.
    var executionContext: TaskContext { TaskContext(executor: taskContext.executor) }

    var isDisposed: Bool { action.isDisposed }

    func dispose() {
        guard !action.isDisposed else { return }
        action.dispose()
        hasBeenDisposed()
    }

    func run() {
        LibraryTask.with(taskContext) {
            if interval == nil { action.run() } else { action.runAgain() }
        }
    }

    /// Returns the instant of the next run: the first of its instants that has not passed.
    func next(after due: Duration, _ now: Duration) -> Duration? {
        guard let interval, !action.isDisposed else { return nil }
        let missed = (now - due).attoseconds / interval.attoseconds
        return due + Duration(attosecondCount: interval.attoseconds * (missed + 1))
    }
}

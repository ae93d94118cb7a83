/// What a ``ClockScheduler`` has to do, and what it does at this moment. Moments are counted from the scheduler's beginning.
///
/// Its transitions are made under the scheduler's lock and say what is to be done outside it.
struct ClockSchedule {
    /// What a task sleeps for.
    struct Sleep {
        /// Counts the sleeps.
        let number: UInt
        let deadline: Duration
        /// When it has to have awoken.
        let latest: Duration
    }

    enum Step {
        case nothing
        /// Nothing is left to sleep for.
        case wake((any Disposable)?)
        /// What is due is to be run by a task.
        case run(TaskSurroundings)
        /// A task is to sleep, in the place of a former one.
        case sleep(Sleep, TaskSurroundings, (any Disposable)?)
    }

    /// No task sleeps longer than ten years at a time.
    static var longestSleep: Duration { .seconds(315_576_000) }

    /// How many of those that wait are looked at to find out how long a sleep may last.
    private static var maximumLooks: Int { 256 }

    /// By the moments at which they are due.
    private var queue = PriorityQueue<Duration, ClockTimer>()
    /// A moment before which nothing that waits is late; later ones there may be as well. Nil if none is known.
    private var knownLatest: Duration?
    /// How much has been disposed of and may still be in the queue.
    private var disposed = 0
    private var dropped: [ClockTimer] = []
    /// Whether a task runs what is due, or is about to begin. When it has done so, it looks at the queue again.
    private var isRunning = false
    /// What sleeps, and its task as soon as that is known.
    var sleeper: (sleep: Sleep, task: (any Disposable)?)?
    private var sleeps: UInt = 0
    /// The number of the sleep that was the last one to be over.
    private(set) var lastAwoken: UInt = 0

    /// How many wait, of which some may have been disposed of.
    var count: Int { queue.count }

    mutating func insert(_ timer: ClockTimer, at due: Duration) {
        queue.insert(timer, at: due)
        if let known = knownLatest { knownLatest = min(known, due + timer.leeway) }
    }

    /// What is to be done after a change of the queue.
    mutating func decide(_ now: Duration) -> Step {
        // Who runs will see.
        if isRunning { return .nothing }
        // Nobody is to sleep for what has been disposed of.
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
            // Whoever sleeps may sleep on.
            return .run(first.element.taskSurroundings)
        }
        let latest = findLatest(first)
        if let sleep = sleeper?.sleep, sleep.deadline == first.key, sleep.latest <= latest { return .nothing }
        sleeps += 1
        let former = sleeper?.task
        let sleep = Sleep(number: sleeps, deadline: first.key, latest: latest)
        sleeper = (sleep, nil)
        return .sleep(sleep, first.element.taskSurroundings, former)
    }

    /// When somebody has to have awoken so that nothing is late.
    ///
    /// What is known remains true when something goes, if not exact, and serves until the first one is due after it. So whatever waits
    /// is looked at now and then, not with every change, and never at very much of it: rather than that the sleep ends early.
    private mutating func findLatest(_ first: (key: Duration, element: ClockTimer)) -> Duration {
        if let known = knownLatest, known >= first.key { return known }
        var latest = first.key + first.element.leeway
        var looks = Self.maximumLooks
        queue.descend { due, timer in
            guard due < latest else { return false }
            guard looks > 0 else {
                // What is below is not due before this, so none of it is late yet.
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

    /// Whether the sleeper, which has awoken, is to run what is due.
    ///
    /// - Parameter isInTime: False if the sleep has failed.
    mutating func hasAwoken(_ number: UInt, isInTime: Bool) -> Bool {
        // Otherwise another one sleeps in its place, or it has nothing to sleep for.
        guard sleeper?.sleep.number == number else { return false }
        sleeper = nil
        lastAwoken = number
        guard isInTime, !isRunning else { return false }
        isRunning = true
        return true
    }

    /// The next action to run; nil, with what is to be done, if none is due: then nobody runs any more.
    mutating func takeDue(_ now: Duration) -> (ClockTimer?, Step) {
        guard let (due, timer) = queue.popFirst(through: now) else {
            isRunning = false
            return (nil, decide(now))
        }
        // In place before the action runs, so that the action can dispose of it.
        if let next = timer.next(after: due, now) { insert(timer, at: next) }
        return (timer, .nothing)
    }

    /// Takes out what has been disposed of when it is half of everything.
    mutating func hasDisposed() {
        disposed += 1
        guard disposed > 16, disposed > queue.count / 2 else { return }
        dropped += queue.removeAll { $0.isDisposed }
        disposed = 0
    }

    /// What has been taken out since, to be released where no lock is held.
    mutating func takeDropped() -> [ClockTimer] {
        defer { dropped = [] }
        return dropped
    }
}

/// An action of a ``ClockScheduler``.
final class ClockTimer: Disposable {
    private let action: ScheduledAction
    /// Nil to run once.
    private let interval: Duration?
    let leeway: Duration
    /// Those of the code that scheduled it.
    private let surroundings: TaskSurroundings
    private let hasBeenDisposed: @Sendable () -> Void

    init(
        interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void,
        hasBeenDisposed: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.leeway = leeway
        self.action = ScheduledAction(action)
        self.hasBeenDisposed = hasBeenDisposed
        surroundings = LibraryTask.surroundings ?? TaskSurroundings()
    }

    /// Those of a task that sleeps or runs for it. A scheduler serves many, so what it does is no scope's to wait for.
    var taskSurroundings: TaskSurroundings { TaskSurroundings(executor: surroundings.executor) }

    var isDisposed: Bool { action.isDisposed }

    func dispose() {
        guard !action.isDisposed else { return }
        action.dispose()
        hasBeenDisposed()
    }

    func run() {
        LibraryTask.with(surroundings) {
            if interval == nil { action.run() } else { action.runAgain() }
        }
    }

    /// When it runs next: at the first of its moments that has not passed.
    func next(after due: Duration, _ now: Duration) -> Duration? {
        guard let interval, !action.isDisposed else { return nil }
        let missed = (now - due).attosecondCount / interval.attosecondCount
        return due + Duration(attosecondCount: interval.attosecondCount * (missed + 1))
    }
}

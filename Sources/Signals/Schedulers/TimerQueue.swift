/// An action with a time, in a ``TimerQueue``.
class TimedAction: ScheduledAction, @unchecked Sendable {
    // Sendable: all fields are constants.

    /// `nil` to run once.
    private let interval: Duration?
    let leeway: Duration

    init(interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.leeway = leeway.limitedForSums
        super.init(action)
    }

    @available(*, unavailable)
    override init(_ action: @escaping @Sendable () -> Void) { preconditionFailure("a TimedAction has a leeway") }

    package override func dispose() {
        guard !isDisposed else { return }
        super.dispose()
        hasBeenDisposed()
    }

    /// Tells the queue.
    func hasBeenDisposed() { preconditionFailure("TimedAction is abstract") }

    /// Runs the action, unless it has been disposed of.
    func fire() { if interval == nil { run() } else { runAgain() } }

    /// Returns the instant of the next run: the first of its instants that has not passed.
    func next(after due: Duration, _ now: @autoclosure () -> Duration) -> Duration? {
        guard let interval, !isDisposed else { return nil }
        let missed = (now() - due).attoseconds / interval.attoseconds
        return due + Duration(attosecondCount: interval.attoseconds * (missed + 1))
    }
}

/// Actions by the instants at which they are due, as a value type. Instants are durations since some instant.
struct TimerQueue<Action: TimedAction> {
    /// The maximum number of actions that are examined to determine how late the first may run.
    private static var maximumLooks: Int { 256 }

    private var queue = PriorityQueue<Duration, Action>()
    /// A lower bound: no action is late before this instant. `nil` if unknown.
    private var knownLatest: Duration?
    /// The number of actions that have been disposed of and may still be in the queue.
    private var disposed = 0
    private var dropped: [Action] = []

    /// The number of actions, some of which may have been disposed of.
    var count: Int { queue.count }

    /// The first action that has not been disposed of.
    var first: (due: Duration, action: Action)? {
        mutating get {
            while let first = queue.first {
                if !first.element.isDisposed { return (first.key, first.element) }
                queue.popFirst()
                dropped.append(first.element)
            }
            return nil
        }
    }

    mutating func insert(_ action: Action, at due: Duration) {
        queue.insert(action, at: due)
        limitLatest(action, due)
    }

    private mutating func limitLatest(_ action: Action, _ due: Duration) {
        if let known = knownLatest { knownLatest = min(known, due + action.leeway) }
    }

    /// Returns the instant by which the first action must run so that no action is late.
    ///
    /// The known bound stays valid when an action is removed, though it may no longer be exact. It is used until the
    /// first action is due after it. So the queue is examined only now and then, not at every change. No more than
    /// `maximumLooks` actions are examined; beyond that, the first runs earlier than necessary.
    mutating func findLatest(_ first: (due: Duration, action: Action)) -> Duration {
        if let known = knownLatest, known >= first.due { return known }
        var latest = first.due + first.action.leeway
        var looks = Self.maximumLooks
        queue.descend { due, action in
            guard due < latest else { return false }
            guard looks > 0 else {
                // The actions below are not due before this instant, so none of them is late by then.
                latest = due
                return false
            }
            looks -= 1
            latest = min(latest, due + action.leeway)
            return true
        }
        knownLatest = latest
        return latest
    }

    /// Takes the first action that is due at `limit` or before. One that repeats stays in the queue for its next run.
    ///
    /// - Parameter now: The current instant, which is later than `limit` if other actions have run since.
    mutating func takeDue(_ limit: Duration, now: @autoclosure () -> Duration) -> Action? {
        let number = queue.firstNumber
        guard let (due, action) = queue.popFirst(through: limit) else { return nil }
        // Inserted before the action runs, so that the action can dispose of it. It keeps its order among the others.
        if let next = action.next(after: due, now()), let number {
            queue.insert(action, at: next, as: number)
            limitLatest(action, next)
        }
        return action
    }

    /// Counts a disposed action. Removes all of them from the queue when they are more than 16 and more than half of
    /// it.
    mutating func hasDisposed() {
        disposed += 1
        guard disposed > 16, disposed > queue.count / 2 else { return }
        dropped += queue.removeAll { $0.isDisposed }
        disposed = 0
    }

    /// Returns the actions removed since the last call. Release them where no lock is held.
    mutating func takeDropped() -> [Action] {
        defer { dropped = [] }
        return dropped
    }
}

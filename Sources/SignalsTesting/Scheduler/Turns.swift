import HotSignals
import ReactiveSignals

/// Who moves the time of a test scheduler, and who waits for a turn. Guarded by the scheduler's lock.
struct Turns {
    /// The thread that runs actions: one that moves the time itself, or the executor's for a move that is awaited.
    var mover: UInt?
    /// Threads that wait for their turn.
    var parked = Queue<Parking>()
    /// The move that is awaited by a task and has begun.
    var current: Move?
    /// Those that wait for their turn.
    var waiting = Queue<Move>()

    /// Whether a thread or a task that comes now has to wait.
    var isTaken: Bool { mover != nil || current != nil || !waiting.isEmpty }

    /// Lets the next thread have its turn, if one waits for it.
    ///
    /// - Returns: What to wake once the lock has been left.
    mutating func pass() -> Parking? {
        let next = parked.popFirst()
        mover = next?.thread
        return next
    }
}

/// How far the time is to be moved.
enum Goal: Sendable {
    case by(Duration)
    case to(TestScheduler.Instant)
    /// Until nothing is scheduled.
    case end

    func limit(from now: TestScheduler.Instant) -> TestScheduler.Instant? {
        switch self {
        case .by(let duration): now.advanced(by: duration)
        case .to(let instant): instant
        case .end: nil
        }
    }
}

/// A move of the time that a task awaits.
final class Move: @unchecked Sendable {
    // Sendable: the scheduler's lock guards what changes.
    let goal: Goal
    /// Whether the task belongs to an actor.
    let isOfActor: Bool
    /// Whether the task is to have a look between any two steps: it belongs to an actor that runs elsewhere, and by the time at which
    /// it is resumed there, what the executor's tasks had sent to that actor before has run.
    var isStepwise = false
    /// Set when it begins.
    var limit: TestScheduler.Instant?
    /// How much the executor had done when the task was resumed for a look.
    var mark: UInt?
    /// Whether the task is having a look.
    var isPaused = false
    /// Resumed with whether the move is over.
    var continuation: CheckedContinuation<Bool, Never>?

    init(_ goal: Goal, isOfActor: Bool) {
        self.goal = goal
        self.isOfActor = isOfActor
    }
}

/// A thread that waits for its turn.
final class Parking: Sendable {
    let thread: UInt
    private let isWoken = Monitor(false)

    init(_ thread: UInt) { self.thread = thread }

    /// - Returns: Whether it has been woken in time.
    func wait(atMost patience: Duration) -> Bool { isWoken.wait(atMost: patience) { $0 } }

    func wake() { isWoken.withLock { $0 = true } }
}

/// What somebody sees who waits for a turn and looks now and then whether something happens.
package struct TurnSight: Sendable {
    private var progress: UInt
    private var standstills = 0

    /// - Parameter progress: How much has been done.
    package init(_ progress: UInt) { self.progress = progress }

    /// Looks again, after a time.
    ///
    /// - Returns: Whether nothing has happened for two of these times.
    package mutating func look(_ new: UInt) -> Bool {
        standstills = new == progress ? standstills + 1 : 0
        progress = new
        return standstills >= 2
    }
}

extension TestScheduler {
    /// Waits for a turn. Ends the process if another thread keeps it for too long in one action.
    func wait(_ parking: Parking) {
        var sight = TurnSight(withLock { progress })
        while !parking.wait(atMost: patience) {
            if sight.look(withLock { progress }) { fatalError(turnMessage("thread")) }
        }
    }

    /// Watches a task that waits for a turn, until what is returned is disposed of.
    func watch(_ move: Move) -> (any Disposable)? {
        let sight = Locked(TurnSight(withLock { progress }))
        return QueueScheduler(name: "TestScheduler").schedule(after: patience, interval: patience) { [weak self] in
            guard let self else { return }
            let (new, isWaiting) = withLock { (progress, turns.current !== move && turns.mover != nil) }
            if sight.withLock({ $0.look(new) }), isWaiting { fatalError(turnMessage("task")) }
        }
    }

    private func turnMessage(_ waiter: String) -> String {
        """
        TestScheduler: a \(waiter) has waited for \(patience * 2) to advance the time, because an action of this \
        scheduler has been running for that long. If that action is waiting for the \(waiter), neither can continue. \
        An action can advance the time itself, but must not wait for a thread or a task that does.
        """
    }
}

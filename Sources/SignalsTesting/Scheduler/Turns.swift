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
    private let isWoken = Locked(false)
    private let condition = Condition()

    init(_ thread: UInt) { self.thread = thread }

    func wait() { isWoken.withLock(waitingOn: condition) { $0 ? () : nil } }

    func wake() {
        isWoken.withLock { $0 = true }
        condition.signal()
    }
}

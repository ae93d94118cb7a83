import HotSignals
import ReactiveSignals

/// The threads and tasks that are advancing the time of a test scheduler, or waiting to do so. Guarded by the
/// scheduler's lock.
struct Turns {
    /// The thread that runs actions: one that advances the time itself, or the executor's thread for a move that a task
    /// awaits.
    var mover: UInt?
    /// The threads that wait for their turn.
    var parked = Queue<Parking>()
    /// The move in progress that a task awaits.
    var current: Move?
    /// The moves that wait for their turn.
    var waiting = Queue<Move>()

    /// Whether a new thread or task has to wait.
    var isTaken: Bool { mover != nil || current != nil || !waiting.isEmpty }

    /// Gives the next thread its turn, if one is waiting.
    ///
    /// - Returns: What to wake after releasing the lock.
    mutating func pass() -> Parking? {
        let next = parked.popFirst()
        mover = next?.thread
        return next
    }
}

/// How far to advance the time.
enum TimeTarget: Sendable {
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

/// An advance of the time that a task awaits.
final class Move: @unchecked Sendable {
    // Sendable: the scheduler's lock guards what changes.
    let target: TimeTarget
    /// Whether the task belongs to an actor.
    let isOfActor: Bool
    /// Whether the task is resumed between any two steps, because it belongs to an actor that runs elsewhere. By the
    /// time it has resumed there, everything that the executor's tasks had sent to that actor has run.
    var isStepwise = false
    /// Set when the move begins.
    var limit: TestScheduler.Instant?
    /// The progress of the executor when the task was last resumed between two steps.
    var mark: UInt?
    /// Whether the task has been resumed between two steps, and has not continued the move.
    var isPaused = false
    /// Resumed with whether the move is over.
    var continuation: CheckedContinuation<Bool, Never>?

    init(_ target: TimeTarget, isOfActor: Bool) {
        self.target = target
        self.isOfActor = isOfActor
    }
}

/// A thread that waits for its turn.
final class Parking: Sendable {
    let thread: UInt
    private let isWoken = Monitor(false)

    init(_ thread: UInt) { self.thread = thread }

    /// - Returns: Whether the thread was woken in time.
    func wait(atMost patience: Duration) -> Bool { isWoken.wait(atMost: patience) { $0 } }

    func wake() { isWoken.withLock { $0 = true } }
}

/// The state of a thread or task that waits for its turn and checks at intervals whether anything happens.
package struct StandstillDetector: Sendable {
    private var progress: UInt
    private var standstills = 0

    /// - Parameter progress: The current progress count.
    package init(_ progress: UInt) { self.progress = progress }

    /// Performs the next check.
    ///
    /// - Returns: Whether nothing has happened for two intervals.
    package mutating func check(_ new: UInt) -> Bool {
        standstills = new == progress ? standstills + 1 : 0
        progress = new
        return standstills >= 2
    }
}

extension TestScheduler {
    /// Waits for a turn. Ends the process if another thread keeps it for too long in one action.
    func wait(_ parking: Parking) {
        var detector = StandstillDetector(withLock { progress })
        while !parking.wait(atMost: patience) {
            if detector.check(withLock { progress }) { fatalError(turnMessage("thread")) }
        }
    }

    /// Watches a task that waits for a turn, until the returned disposable is disposed of.
    func watch(_ move: Move) -> (any Disposable)? {
        let detector = Locked(StandstillDetector(withLock { progress }))
        return QueueScheduler(name: "TestScheduler").schedule(after: patience, interval: patience) { [weak self] in
            guard let self else { return }
            let (new, isWaiting) = withLock { (progress, turns.current !== move && turns.mover != nil) }
            if detector.withLock({ $0.check(new) }), isWaiting { fatalError(turnMessage("task")) }
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

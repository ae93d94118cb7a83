import Dispatch
import HotSignals
import ReactiveSignals

/// What a test scheduler's executor has to do. Guarded by the scheduler's lock.
struct ExecutorWork {
    var jobs = Queue<UnownedJob>()
    /// Whether a thread works, or is about to.
    var isDraining = false
    /// That thread, once it has begun.
    var thread: UInt?
    /// Bodies of `run` that have not ended.
    var runs = 0
    /// Counts the jobs, moves and actions, to tell whether something has happened between two moments.
    var progress: UInt = 0

    /// Whether the caller is to see to it that a thread works.
    mutating func claim() -> Bool {
        defer { isDraining = true }
        return !isDraining
    }
}

// A task executor that runs one job at a time, in the order in which they came, and that moves the time when no job is left.
extension TestScheduler: TaskExecutor {
    /// What surrounds the work that this scheduler runs.
    var ownSurroundings: TaskSurroundings { TaskSurroundings(executor: self) }

    /// Accepts a job of a task that prefers this executor: the tasks of the library inside
    /// ``run(patience:isolation:file:line:_:)``, and any task to which a test gives it.
    ///
    /// ```swift
    /// Task(executorPreference: scheduler) { await work() }
    /// ```
    ///
    /// Jobs run one at a time in the order in which they arrive, whatever their priority, on a thread outside Swift's
    /// pool.
    public func enqueue(_ job: consuming ExecutorJob) {
        // It may be its task alone that holds this scheduler, and that may have ended before the lock has been left.
        let retained = Unmanaged.passRetained(self)
        defer { retained.release() }
        let job = UnownedJob(job)
        lock.lock()
        work.jobs.append(job)
        work.progress &+= 1
        let isToDrain = work.claim()
        lock.unlock()
        if isToDrain { drainLater() }
    }

    func drainLater() { queue.async { self.drain() } }

    private enum Step {
        case job(UnownedJob)
        case action(Entry, isStepwise: Bool)
        /// Tell the task whether the move is over, and give a thread its turn.
        case report(CheckedContinuation<Bool, Never>?, isOver: Bool, Parking?)
    }

    /// Runs what there is to run, until there is nothing.
    private func drain() {
        withLock { work.thread = ThreadIdentity.current }
        let executor = asUnownedTaskExecutor()
        LibraryTask.with(ownSurroundings) {
            while let step = nextStep() {
                switch step {
                case .job(let job): job.runSynchronously(on: executor)
                case .action(let entry, let isStepwise):
                    CurrentScheduler.run(on: self) {
                        entry.run()
                        while !isStepwise, let entry = nextAction() { entry.run() }
                    }
                    if isStepwise { leaveTurn() }
                case .report(let continuation, let isOver, let parking):
                    parking?.wake()
                    continuation?.resume(returning: isOver)
                }
            }
        }
    }

    /// Decides what comes next: jobs first, so that the time moves only when nothing else can.
    private func nextStep() -> Step? {
        withLock {
            if let job = work.jobs.popFirst() {
                work.progress &+= 1
                return .job(job)
            }
            if turns.mover == nil, turns.current == nil, let move = turns.waiting.popFirst() {
                move.limit = move.goal.limit(from: time)
                turns.current = move
                if !move.isStepwise { turns.mover = work.thread }
            }
            if let step = stepOfMove() { return step }
            work.isDraining = false
            work.thread = nil
            return nil
        }
    }

    /// Under the lock, with no job left: what the move that has begun does next.
    private func stepOfMove() -> Step? {
        guard let move = turns.current, !move.isPaused else { return nil }
        if move.isStepwise {
            // A thread has got its turn between two steps, and sees to it that this goes on.
            guard turns.mover == nil else { return nil }
            if move.mark != work.progress {
                move.mark = work.progress
                move.isPaused = true
                return .report(move.continuation.take(), isOver: false, nil)
            }
        }
        work.progress &+= 1
        if let entry = takeNext(through: move.limit) {
            turns.mover = work.thread
            return .action(entry, isStepwise: move.isStepwise)
        }
        if let limit = move.limit { time = max(time, limit) }
        turns.current = nil
        return .report(move.continuation.take(), isOver: true, turns.pass())
    }

    /// The next action, if it may run at once: no job has come, and the move goes on by itself.
    private func nextAction() -> Entry? {
        withLock {
            guard work.jobs.isEmpty, let move = turns.current else { return nil }
            return takeNext(through: move.limit)
        }
    }
}

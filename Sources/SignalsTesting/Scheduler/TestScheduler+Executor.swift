import Dispatch
import HotSignals
import ReactiveSignals

/// The work of a test scheduler's executor. Guarded by the scheduler's lock.
struct ExecutorWork {
    var jobs = Queue<UnownedJob>()
    /// Whether a thread is running the work, or is about to.
    var isDraining = false
    /// That thread, once it has begun.
    var thread: UInt?
    /// The number of bodies of `run` that have not ended.
    var runs = 0
    /// Counts jobs, moves and actions, to detect whether anything has happened between two checks.
    var progress: UInt = 0

    /// Returns whether the caller must start the thread that runs the work.
    mutating func claim() -> Bool {
        defer { isDraining = true }
        return !isDraining
    }
}

// A task executor that runs one job at a time, in order of arrival, and advances the time when no job is left.
extension TestScheduler: TaskExecutor {
    /// The task context of the work that this scheduler runs.
    var ownContext: TaskContext { TaskContext(executor: self) }

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
        // The job's task may hold the last reference to this scheduler, and may end before the lock is released.
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
        /// Tell the task whether the move is over, and give a waiting thread its turn.
        case report(CheckedContinuation<Bool, Never>?, isOver: Bool, Parking?)
    }

    /// Runs jobs and actions until none is left.
    private func drain() {
        withLock { work.thread = ThreadIdentity.current }
        let executor = asUnownedTaskExecutor()
        LibraryTask.with(ownContext) {
            while let step = nextStep() {
                switch step {
                case .job(let job): job.runSynchronously(on: executor)
                case .action(let entry, let isStepwise):
                    CurrentScheduler.run(on: self) {
                        perform(entry)
                        while !isStepwise, let entry = nextAction() { perform(entry) }
                    }
                    if isStepwise { leaveTurn() }
                case .report(let continuation, let isOver, let parking):
                    parking?.wake()
                    continuation?.resume(returning: isOver)
                }
            }
        }
    }

    /// Determines the next step. Jobs come first, so that the time advances only when nothing else can run.
    private func nextStep() -> Step? {
        withLock {
            if let job = work.jobs.popFirst() {
                work.progress &+= 1
                return .job(job)
            }
            if turns.mover == nil, turns.current == nil, let move = turns.waiting.popFirst() {
                move.limit = move.target.limit(from: time)
                turns.current = move
                if !move.isStepwise { turns.mover = work.thread }
            }
            if let step = stepOfMove() { return step }
            work.isDraining = false
            work.thread = nil
            return nil
        }
    }

    /// Returns the next step of the current move. Call under the lock, when no job is left.
    private func stepOfMove() -> Step? {
        guard let move = turns.current, !move.isPaused else { return nil }
        if move.isStepwise {
            // A thread has its turn between two steps. When it leaves, it makes the move continue.
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

    /// Returns the next action if it may run immediately: no job has arrived, and the move is not stepwise.
    private func nextAction() -> Entry? {
        withLock {
            guard work.jobs.isEmpty, let move = turns.current else { return nil }
            return takeNext(through: move.limit)
        }
    }
}

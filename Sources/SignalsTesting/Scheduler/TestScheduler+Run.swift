import HotSignals
import ReactiveSignals

// Async code in virtual time.
extension TestScheduler {
    /// Runs async code whose tasks the scheduler drives, so that time moves only when none of them can go on.
    ///
    ///     try await scheduler.run {
    ///         let recorder = source.debounce(.seconds(1), on: scheduler).record(on: scheduler)
    ///         async let pause: Void = Task.sleep(for: .seconds(3), clock: scheduler)
    ///         await scheduler.advance(by: .seconds(3))
    ///         try await pause
    ///         try recorder.expect("--a")
    ///     }
    ///
    /// The body runs in the calling task, on the scheduler's own executor, and so may use what the caller can use. On that
    /// executor run as well: its child tasks, actors without an executor of their own, and every task that the library
    /// starts, be it in the body or in an action of the scheduler. They run one at a time, in the order in which they
    /// became able to. So a test takes the same course each time.
    ///
    /// **Moving the time**: `await scheduler.advance(by:)` and its kin first let all that can run do so; then they move the time to
    /// what is due next, run that, let again all run that can, and so on. They return when the goal is reached and nothing can
    /// run. Nothing is guessed: the executor has no job left.
    ///
    /// **Outside** are the unstructured tasks of a test, except for `Task(executorPreference: scheduler) { ... }`, other threads,
    /// and actors that have executors of their own. What they do is not waited for. There is one exception: a body that belongs
    /// to such an actor, as that of a test on the main actor does. `advance` returns to it between any two steps,
    /// and moves on only if what the tasks had sent to the actor up to then has brought no new work.
    ///
    /// **Waiting for ever**: a body that waits for a time that nobody moves hangs, which looks no different from one that waits
    /// for a thread at work. When nothing has happened for as long as `patience`, the process ends with a message that says what was
    /// waited for.
    ///
    /// **Cancellation** of the calling task cancels the body, whose task it is. When the body has ended, what it has started
    /// without waiting for it goes on.
    ///
    /// - Parameters:
    ///   - patience: How long nothing may happen, in real time: at least twice this, and longer on a machine so busy that tasks do not have their turn. Nil for ever. Traps
    ///     unless it is positive.
    ///   - isolation: The actor of the caller.
    ///   - body: May call this again, and move the time.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func run<Output, Failure: Error>(
        patience: Swift.Duration? = .seconds(60), isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        if let patience {
            require(patience > .zero, "TestScheduler.run(patience: \(patience)): the patience must be positive")
        }
        return try await run(watch: patience.map { StallWatch(patience: $0) }, isolation: isolation, body)
    }

    /// Runs async code, and has somebody watch it: see ``run(patience:isolation:_:)``.
    package func run<Output, Failure: Error>(
        watch: StallWatch?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        withLock { work.runs += 1 }
        let watching = watch?.begin(self)
        defer {
            watching?.dispose()
            withLock { work.runs -= 1 }
        }
        let outcome = await LibraryTask.$surroundings.withValue(ownSurroundings) {
            await withTaskExecutorPreference(self) { () async -> Result<Output, Failure> in
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }
        }
        return try outcome.get()
    }

    /// Runs what is due now, and all that can run: see ``advance(by:isolation:)``.
    public func advance(isolation: isolated (any Actor)? = #isolation) async {
        await move(.by(.zero), isolation: isolation)
    }

    /// Moves the time on, and returns when all that could run has run.
    ///
    /// Inside of ``run(patience:isolation:_:)`` this lets tasks and actions run by turns, as is said there. If another task is moving the time,
    /// this one waits for its turn first, and counts from then. Outside it is like the form for synchronous functions: it runs
    /// the actions, and no task.
    ///
    /// - Parameters:
    ///   - duration: Traps if negative.
    ///   - isolation: The actor of the caller.
    public func advance(by duration: Swift.Duration, isolation: isolated (any Actor)? = #isolation) async {
        requireForward(duration)
        await move(.by(duration), isolation: isolation)
    }

    /// Moves the time on to a moment, and returns when all that could run has run: see ``advance(by:isolation:)``.
    ///
    /// - Parameters:
    ///   - instant: Traps if it lies in the past.
    ///   - isolation: The actor of the caller.
    public func advance(to instant: Instant, isolation: isolated (any Actor)? = #isolation) async {
        requireFuture(instant)
        await move(.to(instant), isolation: isolation)
    }

    /// Moves the time on until nothing is scheduled any more and nothing can run: see ``advance(by:isolation:)``. With an action that
    /// repeats it does not return.
    public func run(isolation: isolated (any Actor)? = #isolation) async {
        await move(.end, isolation: isolation)
    }

    private func move(_ goal: Goal, isolation: isolated (any Actor)?) async {
        if moveAtOnce(goal) { return }
        let move = Move(goal, isOfActor: isolation != nil)
        let watch = withLock({ turns.isTaken }) ? watch(move) : nil
        defer { watch?.dispose() }
        var isOver = false
        while !isOver {
            isOver = await withCheckedContinuation(isolation: isolation) { proceed(with: move, $0) }
        }
    }

    /// Moves the time on this thread, unless tasks may have to run meanwhile or another one is at it.
    private func moveAtOnce(_ goal: Goal) -> Bool {
        let thread = ThreadIdentity.current
        let isNested: Bool? = withLock {
            if work.runs > 0 || work.isDraining { return nil }
            // From a task that an action has started in place.
            if turns.mover == thread { return true }
            guard turns.mover == nil, turns.current == nil else { return nil }
            turns.mover = thread
            return false
        }
        guard let isNested else { return false }
        let duration = runActions(goal)
        if !isNested { leaveTurn(after: duration) }
        return true
    }

    /// Has the executor begin a move, or go on with it after its task has had a look.
    private func proceed(with move: Move, _ continuation: CheckedContinuation<Bool, Never>) {
        let thread = ThreadIdentity.current
        lock.lock()
        move.continuation = continuation
        if move.isPaused {
            move.isPaused = false
        } else {
            // An actor that runs on the executor has nothing that the executor does not know of.
            move.isStepwise = move.isOfActor && work.thread != thread
            turns.waiting.append(move)
        }
        let isToDrain = work.claim()
        lock.unlock()
        if isToDrain { drainLater() }
    }
}

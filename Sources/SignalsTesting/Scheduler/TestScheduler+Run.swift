import HotSignals
import ReactiveSignals

// Async code in virtual time.
extension TestScheduler {
    /// Runs async code under the scheduler's control: the time advances only when none of its tasks can continue.
    ///
    /// ```swift
    /// try await scheduler.run {
    ///     let recorder = source.debounce(.seconds(1), on: scheduler).record(on: scheduler)
    ///     async let pause: Void = Task.sleep(for: .seconds(3), clock: scheduler)
    ///     await scheduler.advance(by: .seconds(3))
    ///     try await pause
    ///     try recorder.expect("--a")
    /// }
    /// ```
    ///
    /// The body runs in the calling task, on the executor of the scheduler, and can use everything that the caller can.
    /// The same executor runs its child tasks, actors without their own executor, and every task that the library
    /// starts, in the body or in an action of the scheduler. They run one at a time, in the order in which they became
    /// ready, so every run of a test is the same.
    ///
    /// **Advancing the time**: `await scheduler.advance(by:)` and the other async forms first run everything that can
    /// run. Then they advance the time to the next due action, run it, run everything that can run, and so on. They
    /// return when the target is reached and the executor has no job left.
    ///
    /// **Outside its control** are unstructured tasks of the test, except
    /// `Task(executorPreference: scheduler) { ... }`, other threads, and actors with their own executors. The scheduler
    /// does not wait for them, with one exception: if the body belongs to such an actor, as in a test on the main
    /// actor, `advance` returns to that actor between two steps. It continues only after everything that the tasks had
    /// sent to the actor by then has brought no new work.
    ///
    /// **Hangs**: a body that waits for a time that nothing advances looks the same as one that waits for a working
    /// thread. If nothing has happened for as long as `patience`, the process ends with a message that says what was
    /// waited for.
    ///
    /// **Cancellation** of the calling task cancels the body. After the body has ended, work that it started and did
    /// not wait for continues.
    ///
    /// - Parameters:
    ///   - patience: How long nothing may happen, in real time: at least twice this, and longer on a busy machine that
    ///     delays tasks. `nil` for no limit. Traps unless positive.
    ///   - isolation: The actor of the caller.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    ///   - body: Can call this method again, and advance the time.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func run<Output, Failure: Error>(
        patience: Swift.Duration? = .seconds(60), isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        if let patience {
            require(
                patience > .zero, "TestScheduler.run(patience: \(patience)): the patience must be positive",
                file: file, line: line)
        }
        return try await run(watch: patience.map { StallWatch(patience: $0) }, isolation: isolation, body)
    }

    /// Runs async code, and watches for a stall: see ``run(patience:isolation:file:line:_:)``.
    package func run<Output, Failure: Error>(
        watch: StallWatch?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        withLock { work.runs += 1 }
        let watching = watch?.begin(self)
        defer {
            watching?.dispose()
            withLock { work.runs -= 1 }
        }
        let outcome = await LibraryTask.$context.withValue(ownContext) {
            await withTaskExecutorPreference(self) { () async -> Result<Output, Failure> in
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }
        }
        return try outcome.get()
    }

    /// Runs everything that is due now, and everything else that can run: see ``advance(by:isolation:file:line:)``.
    public func advance(isolation: isolated (any Actor)? = #isolation) async {
        await move(.by(.zero), isolation: isolation)
    }

    /// Advances the time, and returns when everything that could run has run.
    ///
    /// Inside ``run(patience:isolation:file:line:_:)``, this lets tasks and actions run in turn, as described there. If
    /// another task is advancing the time, this one first waits for its turn, and the duration counts from then.
    /// Outside, it works like the synchronous form: it runs actions, but no tasks.
    ///
    /// - Parameters:
    ///   - duration: Traps if negative.
    ///   - isolation: The actor of the caller.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func advance(
        by duration: Swift.Duration, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line
    ) async {
        requireForward(duration, file: file, line: line)
        await move(.by(duration), isolation: isolation)
    }

    /// Advances the time to an instant, and returns when everything that could run has run: see
    /// ``advance(by:isolation:file:line:)``.
    ///
    /// - Parameters:
    ///   - instant: Traps if it is in the past.
    ///   - isolation: The actor of the caller.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func advance(
        to instant: Instant, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line
    ) async {
        requireFuture(instant, file: file, line: line)
        await move(.to(instant), isolation: isolation)
    }

    /// Advances the time until nothing is scheduled and nothing can run: see ``advance(by:isolation:file:line:)``. Does
    /// not return if an action repeats.
    public func run(isolation: isolated (any Actor)? = #isolation) async {
        await move(.end, isolation: isolation)
    }

    private func move(_ target: TimeTarget, isolation: isolated (any Actor)?) async {
        if moveAtOnce(target) { return }
        let move = Move(target, isOfActor: isolation != nil)
        let watch = withLock({ turns.isTaken }) ? watch(move) : nil
        defer { watch?.dispose() }
        var isOver = false
        while !isOver {
            isOver = await withCheckedContinuation(isolation: isolation) { proceed(with: move, $0) }
        }
    }

    /// Advances the time on this thread. Returns `false` if tasks may have to run meanwhile, or if the time is already
    /// being advanced elsewhere.
    private func moveAtOnce(_ target: TimeTarget) -> Bool {
        let thread = ThreadIdentity.current
        let isNested: Bool? = withLock {
            if work.runs > 0 || work.isDraining { return nil }
            // From a task that an action has started on this thread.
            if turns.mover == thread { return true }
            guard turns.mover == nil, turns.current == nil else { return nil }
            turns.mover = thread
            return false
        }
        guard let isNested else { return false }
        let duration = runActions(target)
        if !isNested { leaveTurn(after: duration) }
        return true
    }

    /// Makes the executor begin a move, or continue it after its task has been resumed between two steps.
    private func proceed(with move: Move, _ continuation: CheckedContinuation<Bool, Never>) {
        let thread = ThreadIdentity.current
        lock.lock()
        move.continuation = continuation
        if move.isPaused {
            move.isPaused = false
        } else {
            // An actor that runs on the executor has no jobs that the executor does not know.
            move.isStepwise = move.isOfActor && work.thread != thread
            turns.waiting.append(move)
        }
        let isToDrain = work.claim()
        lock.unlock()
        if isToDrain { drainLater() }
    }
}

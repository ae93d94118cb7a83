import HotSignals

/// Keeps jobs until a test runs them, in order, and counts them.
package class JobList: @unchecked Sendable {
    // Sendable: the lock guards the state, and there is no other state.
    private let state = Locked((waiting: [UnownedJob](), total: 0))
    /// The thread that runs jobs or acts as the executor.
    private let holder = Locked<UInt?>(nil)

    fileprivate init() {}

    /// The number of jobs enqueued so far.
    package var total: Int { state.withLock { $0.total } }
    /// The number of waiting jobs.
    package var waiting: Int { state.withLock { $0.waiting.count } }
    /// Whether the calling thread acts as the executor.
    package var isHeldByCaller: Bool { holder.withLock { $0 } == ThreadIdentity.current }

    fileprivate func append(_ job: UnownedJob) {
        state.withLock { state in
            state.waiting.append(job)
            state.total += 1
        }
    }

    fileprivate func takeFirst() -> UnownedJob? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    fileprivate func run(_ job: UnownedJob) { fatalError("abstract") }

    /// Runs jobs, on a thread without a task of its own, until none is waiting.
    ///
    /// - Returns: The number of jobs.
    @discardableResult
    package func runAll() -> Int {
        let count = Locked(0)
        TestThread("manual executor") { [self] in
            hold {
                while let job = takeFirst() {
                    run(job)
                    count.withLock { $0 += 1 }
                }
            }
        }.join()
        return count.withLock { $0 }
    }

    /// Runs one job.
    package func runOne() {
        TestThread("manual executor") { [self] in
            hold { if let job = takeFirst() { run(job) } }
        }.join()
    }

    /// Runs `body` with the calling thread acting as the executor.
    package func hold<Result>(_ body: () -> Result) -> Result {
        holder.withLock { holder in
            require(holder == nil, "two threads are one executor's")
            holder = ThreadIdentity.current
        }
        defer { holder.withLock { $0 = nil } }
        return body()
    }
}

/// A serial executor that runs its jobs on demand.
package final class ManualExecutor: JobList, SerialExecutor, @unchecked Sendable {
    // Sendable: like the base class.
    package override init() { super.init() }

    package func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

    package func checkIsolated() { require(isHeldByCaller, "not on the manual executor") }

    fileprivate override func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
}

/// A task executor that runs its jobs on demand.
package final class ManualTaskExecutor: JobList, TaskExecutor, @unchecked Sendable {
    // Sendable: like the base class.
    package override init() { super.init() }

    package func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

    fileprivate override func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

    /// Runs `body` so that the library's tasks that it starts run here.
    package func around<Result>(_ body: () -> Result) -> Result {
        LibraryTask.$context.withValue(TaskContext(executor: self), operation: body)
    }
}

/// Runs `body`, which may block, on a separate thread, so that the process's pool stays available for tasks.
package func onThread<Result: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Result) async -> Result {
    let thread = Locked<TestThread?>(nil)
    let result = await withCheckedContinuation { continuation in
        let started = TestThread(name) { continuation.resume(returning: body()) }
        thread.withLock { $0 = started }
    }
    thread.withLock { $0 }?.join()
    return result
}

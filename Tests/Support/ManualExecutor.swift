import HotSignals

/// Keeps jobs until a test has them run, in order, and counts them.
package class JobList: @unchecked Sendable {
    // Sendable: the lock guards the state, and there is no more.
    private let state = Locked((waiting: [UnownedJob](), total: 0))
    /// The thread that runs jobs, or stands for the executor.
    private let holder = Locked<UInt?>(nil)

    fileprivate init() {}

    /// How many jobs there have been.
    package var total: Int { state.withLock { $0.total } }
    /// How many wait.
    package var waiting: Int { state.withLock { $0.waiting.count } }
    /// Whether the calling thread is the executor's.
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

    /// Runs jobs, on a thread that has no task of its own, until none waits.
    ///
    /// - Returns: How many there were.
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

    /// Runs `body` as if the calling thread was the executor's.
    package func hold<Result>(_ body: () -> Result) -> Result {
        holder.withLock { holder in
            require(holder == nil, "two threads are one executor's", file: #fileID, line: #line)
            holder = ThreadIdentity.current
        }
        defer { holder.withLock { $0 = nil } }
        return body()
    }
}

/// A serial executor whose jobs run when a test says so.
package final class ManualExecutor: JobList, SerialExecutor, @unchecked Sendable {
    // Sendable: as the base class.
    package override init() { super.init() }

    package func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

    package func checkIsolated() { require(isHeldByCaller, "not on the manual executor", file: #fileID, line: #line) }

    fileprivate override func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
}

/// A task executor whose jobs run when a test says so.
package final class ManualTaskExecutor: JobList, TaskExecutor, @unchecked Sendable {
    // Sendable: as the base class.
    package override init() { super.init() }

    package func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

    fileprivate override func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

    /// Runs `body` so that the library's tasks that it starts come here.
    package func around<Result>(_ body: () -> Result) -> Result {
        LibraryTask.$surroundings.withValue(TaskSurroundings(executor: self), operation: body)
    }
}

/// Runs `body`, which may wait, on a thread of its own, so that the process's pool stays free for tasks.
package func onThread<Result: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Result) async -> Result {
    let thread = Locked<TestThread?>(nil)
    let result = await withCheckedContinuation { continuation in
        let started = TestThread(name) { continuation.resume(returning: body()) }
        thread.withLock { $0 = started }
    }
    thread.withLock { $0 }?.join()
    return result
}

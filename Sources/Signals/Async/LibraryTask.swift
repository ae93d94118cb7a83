#if Explore
import InterleavingExplorer
#endif

/// Starts the tasks in which the library runs async code.
///
/// Every task of the library begins here, so that what surrounds a piece of work holds for all of it: a test scheduler gives
/// the executor that it drives, and a scope counts what has to end before it does.
@usableFromInline
package enum LibraryTask {
    /// What has been put around the running work. What starts work later, on another thread, reads it when it is started
    /// itself and hands it on: see ``with(_:_:)``.
    @TaskLocal package static var surroundings: TaskSurroundings?

    /// The same as ``surroundings``, at next to no cost where there never were any.
    @usableFromInline
    package static var captured: TaskSurroundings? { TaskSurroundings.exist.isRaised ? surroundings : nil }

    /// Starts a task.
    ///
    /// - Parameters:
    ///   - priority: That of the current task if not given.
    ///   - surroundings: Those of the work that the task belongs to. If it has none, the task is not counted, though the
    ///     caller be within some.
    ///   - body: Runs on no actor.
    /// - Returns: What cancels the task. It need not be kept.
    @discardableResult
    package static func start(
        priority: TaskPriority? = nil, in surroundings: TaskSurroundings? = LibraryTask.surroundings,
        _ body: @escaping @Sendable () async -> Void
    ) -> any Disposable {
        guard let surroundings = surroundings ?? captured?.withoutTally else {
            #if Explore
            if let executor = ExploredBackground.executor {
                return TaskDisposable(Task(executorPreference: executor, priority: priority, operation: body))
            }
            #endif
            return TaskDisposable(Task(priority: priority, operation: body))
        }
        // Counted before the task exists, so that nobody finds the count empty in between.
        surroundings.tally?.enter()
        #if Explore
        let executor = surroundings.executor ?? ExploredBackground.executor
        #else
        let executor = surroundings.executor
        #endif
        return TaskDisposable(
            Task(executorPreference: executor, priority: priority) {
                // The task itself is counted. What the code in it starts of its own accord is not.
                await $surroundings.withValue(surroundings.withoutTally) { await body() }
                surroundings.tally?.leave()
            })
    }

    /// Runs `body`, which may start tasks, within `surroundings`, unless it is within them already. If they are none, nobody counts
    /// these tasks.
    @inlinable
    package static func with<Result>(_ surroundings: TaskSurroundings?, _ body: () -> Result) -> Result {
        guard let surroundings else { return withoutTally(body) }
        return enter(surroundings, body)
    }

    /// Runs `body`, which may start tasks that go on for others than whoever counts those of the running work.
    @usableFromInline
    package static func withoutTally<Result>(_ body: () -> Result) -> Result {
        guard let surroundings = captured, surroundings.tally != nil else { return body() }
        return $surroundings.withValue(surroundings.withoutTally, operation: body)
    }

    @usableFromInline
    package static func enter<Result>(_ surroundings: TaskSurroundings, _ body: () -> Result) -> Result {
        if self.surroundings?.isSame(as: surroundings) == true { return body() }
        return $surroundings.withValue(surroundings, operation: body)
    }
}

/// What is put around work that may start tasks.
@usableFromInline
package struct TaskSurroundings: Sendable {
    /// Raised when there are some for the first time, so that looking for them costs those nothing who never have any.
    fileprivate static let exist = AtomicFlag()

    /// Where the tasks run; nil for the process's pool.
    package let executor: (any TaskExecutor)?
    /// Counts the tasks that have not ended.
    package let tally: TaskTally?

    package init(executor: (any TaskExecutor)? = nil, tally: TaskTally? = nil) {
        self.executor = executor
        self.tally = tally
        if !Self.exist.isRaised { Self.exist.raise() }
    }

    /// The same, but for the count.
    var withoutTally: TaskSurroundings { TaskSurroundings(executor: executor) }

    fileprivate func isSame(as other: TaskSurroundings) -> Bool {
        tally === other.tally && executor as AnyObject? === other.executor as AnyObject?
    }
}

/// Disposes of a task by cancelling it.
package final class TaskDisposable: Disposable {
    private let task: Task<Void, Never>

    package init(_ task: Task<Void, Never>) { self.task = task }

    package var isDisposed: Bool { task.isCancelled }

    package func dispose() {
        #if Explore
        ExploredCancellation.run { task.cancel() }
        #else
        task.cancel()
        #endif
    }
}

#if Explore
import InterleavingExplorer
#endif

/// Starts the tasks in which the library runs async code.
///
/// Every task of the library is started here, so that the surroundings of a piece of work apply to all of it: a test
/// scheduler sets the executor that it drives, and a scope counts the tasks that must end before it does.
@usableFromInline
package enum LibraryTask {
    /// The surroundings of the running work. Code that starts work later, on another thread, reads them when it is
    /// started itself, and passes them on: see ``with(_:_:)``.
    @TaskLocal package static var surroundings: TaskSurroundings?

    /// The same as ``surroundings``, at almost no cost in a process that has never created any.
    @usableFromInline
    package static var captured: TaskSurroundings? { TaskSurroundings.exist.isRaised ? surroundings : nil }

    /// Starts a task.
    ///
    /// - Parameters:
    ///   - priority: By default the priority of the current task.
    ///   - surroundings: The surroundings of the work that the task belongs to. If `nil`, the task is not counted, even
    ///     if the caller's surroundings have a tally.
    ///   - body: Runs on no actor.
    /// - Returns: A disposable that cancels the task. You need not store it.
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
        // Counted before the task exists, so that the count is never empty in between.
        surroundings.tally?.enter()
        #if Explore
        let executor = surroundings.executor ?? ExploredBackground.executor
        #else
        let executor = surroundings.executor
        #endif
        return TaskDisposable(
            Task(executorPreference: executor, priority: priority) {
                // The task itself is counted. Tasks that its code starts on its own are not.
                await $surroundings.withValue(surroundings.withoutTally) { await body() }
                surroundings.tally?.leave()
            })
    }

    /// Runs `body`, which may start tasks, within `surroundings`, unless they are already in force. If `surroundings`
    /// is `nil`, no tally counts these tasks.
    @inlinable
    package static func with<Result>(_ surroundings: TaskSurroundings?, _ body: () -> Result) -> Result {
        guard let surroundings else { return withoutTally(body) }
        return enter(surroundings, body)
    }

    /// Runs `body`, which may start tasks that the tally of the running work must not count.
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

/// The surroundings of work that may start tasks.
@usableFromInline
package struct TaskSurroundings: Sendable {
    /// Raised when the first surroundings are created, so that looking for them costs nothing in a process that never
    /// uses any.
    fileprivate static let exist = AtomicFlag()

    /// The executor of the tasks, or `nil` for the process's pool.
    package let executor: (any TaskExecutor)?
    /// Counts the tasks that have not ended.
    package let tally: TaskTally?

    package init(executor: (any TaskExecutor)? = nil, tally: TaskTally? = nil) {
        self.executor = executor
        self.tally = tally
        if !Self.exist.isRaised { Self.exist.raise() }
    }

    /// The same surroundings without the tally.
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

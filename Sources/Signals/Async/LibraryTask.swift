#if Explore
import InterleavingExplorer
#endif

/// Starts the tasks in which the library runs async code.
///
/// Every task of the library is started here, so that the task context of a piece of work applies to all of it: a test
/// scheduler sets the executor that it drives, and a scope counts the tasks that must end before it does.
@usableFromInline
package enum LibraryTask {
    /// The task context of the running work. Code that starts work later, on another thread, reads it when it is
    /// started itself, and passes it on: see ``with(_:_:)``.
    @TaskLocal package static var context: TaskContext?

    /// The same as ``context``, at almost no cost in a process that has never created one.
    @usableFromInline
    package static var captured: TaskContext? { TaskContext.exist.isRaised ? context : nil }

    /// Starts a task.
    ///
    /// - Parameters:
    ///   - priority: By default the priority of the current task.
    ///   - context: The task context of the work that the task belongs to. If `nil`, the task is not counted, even
    ///     if the caller's task context has a counter.
    ///   - inherits: Whether the task inherits the task-locals of the caller.
    ///   - body: Runs on no actor.
    /// - Returns: A disposable that cancels the task. You need not store it.
    @discardableResult
    package static func start(
        priority: TaskPriority? = nil, in context: TaskContext? = LibraryTask.context, inheriting inherits: Bool = true,
        _ body: @escaping @Sendable () async -> Void
    ) -> any Disposable {
        guard let context = context ?? captured?.withoutCounter else {
            #if Explore
            if let executor = ExploredBackground.executor {
                return TaskDisposable(Task(executorPreference: executor, priority: priority, operation: body))
            }
            #endif
            return TaskDisposable(
                inherits
                    ? Task(priority: priority, operation: body) : Task.detached(priority: priority, operation: body))
        }
        // Counted before the task exists, so that the count is never empty in between.
        context.counter?.enter()
        #if Explore
        let executor = context.executor ?? ExploredBackground.executor
        #else
        let executor = context.executor
        #endif
        let counted: @Sendable () async -> Void = {
            // The task itself is counted. Tasks that its code starts on its own are not.
            await $context.withValue(context.withoutCounter) { await body() }
            context.counter?.leave()
        }
        return TaskDisposable(
            inherits
                ? Task(executorPreference: executor, priority: priority, operation: counted)
                : Task.detached(executorPreference: executor, priority: priority, operation: counted))
    }

    /// Runs `body`, which may start tasks, within `context`, unless that is already in force. If `context`
    /// is `nil`, these tasks are not counted.
    @inlinable
    package static func with<Result>(_ context: TaskContext?, _ body: () -> Result) -> Result {
        if let context { return enter(context, body) }
        // Usually there is none.
        return captured == nil ? body() : withoutCounter(body)
    }

    /// Runs `body`, which may start tasks that the counter of the running work must not count.
    @usableFromInline
    package static func withoutCounter<Result>(_ body: () -> Result) -> Result {
        guard let context = captured, context.counter != nil else { return body() }
        return $context.withValue(context.withoutCounter, operation: body)
    }

    @usableFromInline
    package static func enter<Result>(_ context: TaskContext, _ body: () -> Result) -> Result {
        if self.context?.isSame(as: context) == true { return body() }
        return $context.withValue(context, operation: body)
    }
}

/// The task context of work that may start tasks.
@usableFromInline
package struct TaskContext: Sendable {
    /// Raised when the first context is created, so that looking for one costs nothing in a process that never
    /// uses any.
    fileprivate static let exist = AtomicFlag()

    /// The executor of the tasks, or `nil` for the process's pool.
    package let executor: (any TaskExecutor)?
    /// Counts the tasks that have not ended.
    package let counter: TaskCounter?

    package init(executor: (any TaskExecutor)? = nil, counter: TaskCounter? = nil) {
        self.executor = executor
        self.counter = counter
        if !Self.exist.isRaised { Self.exist.raise() }
    }

    /// The same context without the counter.
    var withoutCounter: TaskContext { TaskContext(executor: executor) }

    fileprivate func isSame(as other: TaskContext) -> Bool {
        counter === other.counter && executor as AnyObject? === other.executor as AnyObject?
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

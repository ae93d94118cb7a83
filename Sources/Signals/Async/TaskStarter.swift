/// Starts tasks with the task context of the code that created it, even later and on another thread, where that context
/// is no longer in force.
///
/// The form of ``LibraryTask`` for inlinable code.
@usableFromInline
package final class TaskStarter: Sendable {
    private let taskContext: TaskContext?

    /// Captures the task context of the caller.
    @usableFromInline
    package init() { taskContext = LibraryTask.context }

    /// Starts a task with the captured task context.
    ///
    /// - Returns: A disposable that cancels the task.
    @usableFromInline
    package func start(_ body: @escaping @Sendable () async -> Void) -> any Disposable {
        LibraryTask.start(in: taskContext, body)
    }

    /// Starts a task with the task context of the caller.
    ///
    /// - Returns: A disposable that cancels the task.
    @usableFromInline
    package static func start(
        priority: TaskPriority? = nil, _ body: @escaping @Sendable () async -> Void
    ) -> any Disposable {
        LibraryTask.start(priority: priority, body)
    }
}

extension Termination {
    /// The terminal event of a stream whose work has thrown an error. A cancellation interrupts the stream.
    @inlinable
    package static func thrown(_ error: Failure) -> Termination {
        error is CancellationError ? .interrupted : .error(error)
    }
}

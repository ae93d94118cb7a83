/// Starts tasks with the surroundings of the code that created it, even later and on another thread, where these
/// surroundings are no longer in force.
///
/// The form of ``LibraryTask`` for inlinable code.
@usableFromInline
package final class TaskStarter: Sendable {
    private let surroundings: TaskSurroundings?

    /// Captures the surroundings of the caller.
    @usableFromInline
    package init() { surroundings = LibraryTask.surroundings }

    /// Starts a task with the captured surroundings.
    ///
    /// - Returns: A disposable that cancels the task.
    @usableFromInline
    package func start(_ body: @escaping @Sendable () async -> Void) -> any Disposable {
        LibraryTask.start(in: surroundings, body)
    }

    /// Starts a task with the surroundings of the caller.
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

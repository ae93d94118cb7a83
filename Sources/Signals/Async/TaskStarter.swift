/// Starts tasks for work that was started within certain surroundings, also when these are no longer there: on another thread, later.
///
/// The form of ``LibraryTask`` for inlinable code.
@usableFromInline
package final class TaskStarter: Sendable {
    private let surroundings: TaskSurroundings?

    /// Remembers the surroundings of the caller.
    @usableFromInline
    package init() { surroundings = LibraryTask.surroundings }

    /// Starts a task within them.
    ///
    /// - Returns: What cancels it.
    @usableFromInline
    package func start(_ body: @escaping @Sendable () async -> Void) -> any Disposable {
        LibraryTask.start(in: surroundings, body)
    }

    /// Starts a task within the surroundings of the caller.
    ///
    /// - Returns: What cancels it.
    @usableFromInline
    package static func start(
        priority: TaskPriority? = nil, _ body: @escaping @Sendable () async -> Void
    ) -> any Disposable {
        LibraryTask.start(priority: priority, body)
    }
}

extension Termination {
    /// How a stream ends whose work has thrown an error: a cancellation interrupts it.
    @inlinable
    package static func thrown(_ error: Failure) -> Termination {
        error is CancellationError ? .interrupted : .error(error)
    }
}

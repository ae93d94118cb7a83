#if Explore
/// Cancels tasks of an execution.
///
/// The runtime calls the handlers of a cancellation under a lock that the task takes, too, when it is suspended. A thread
/// that stopped in a handler would make the task wait where the exploration does not see it. So the canceller calls the
/// handlers when the runtime has released its lock, and a task waits for a handler that runs before it goes on without it.
package enum ExploredCancellation {
    /// - Parameter cancel: Cancels a task.
    package static func run(_ cancel: () -> Void) {
        guard let (thread, _) = ExploredThread.active, thread.handlers == nil else { return cancel() }
        thread.handlers = []
        cancel()
        let handlers = thread.handlers ?? []
        thread.handlers = nil
        for handler in handlers { handler.run() }
    }
}

/// What is called when a task is cancelled, until it is removed.
package final class ExploredHandler: @unchecked Sendable {
    // Sendable: as ExploredWord.
    private let lock = ExploredLock()
    private var body: (@Sendable () -> Void)?

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Calls it, once the runtime has released its lock.
    package func callWhenCancelled() {
        guard let (thread, _) = ExploredThread.active, thread.handlers != nil else { return run() }
        thread.handlers?.append(self)
    }

    fileprivate func run() {
        lock.lock()
        defer { lock.unlock() }
        body?()
    }

    /// Returns when it does not run, and will not run.
    package func remove() {
        lock.lock()
        body = nil
        lock.unlock()
    }
}
#endif

#if Explore
/// Cancels tasks of an execution.
///
/// The runtime calls the handlers of a cancellation under a lock that the task also takes when it is suspended. If a
/// thread stopped in a handler, the task would wait in a way that the exploration cannot see. So the canceller calls
/// the handlers when the runtime has released its lock, and a task waits for a running handler before it continues
/// without it.
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

/// A closure that is called when a task is cancelled, unless it is removed first.
package final class ExploredHandler: @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    private let lock = ExploredLock()
    private var body: (@Sendable () -> Void)?

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Calls the closure, after the runtime has released its lock.
    package func callWhenCancelled() {
        guard let (thread, _) = ExploredThread.active, thread.handlers != nil else { return run() }
        thread.handlers?.append(self)
    }

    fileprivate func run() {
        lock.lock()
        defer { lock.unlock() }
        body?()
    }

    /// Removes the closure. On return, it is not running and will not run.
    package func remove() {
        lock.lock()
        body = nil
        lock.unlock()
    }
}
#endif

import Dispatch

/// Runs actions on the main queue: immediately if the caller is on it and nothing is waiting, otherwise in turn.
///
/// Actions run in the order in which they were scheduled either way. On a server nothing drains the main queue unless
/// you call `dispatchMain()` or run a main run loop. The library uses this scheduler only if you name it.
public final class MainScheduler: Scheduler {
    private static let isMainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Actions that are queued or running.
    private let pending = Locked(0)

    /// Creates a scheduler. Its actions are not ordered with those of another `MainScheduler`.
    public init() {}

    /// Runs the action on the main queue.
    ///
    /// - Returns: A disposable, or `nil` if the action has already run.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let isFirst = pending.withLock { pending in
            pending += 1
            return pending == 1
        }
        if isFirst, DispatchQueue.getSpecific(key: Self.isMainQueue) == true {
            run(action)
            return nil
        }
        let scheduled = ScheduledAction(action)
        DispatchQueue.main.async { self.run { scheduled.run() } }
        return scheduled
    }

    private func run(_ action: () -> Void) {
        CurrentScheduler.run(on: self, action)
        pending.withLock { $0 -= 1 }
    }
}

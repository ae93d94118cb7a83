import Dispatch

/// Runs actions on the main queue: inline if the caller is on it and nothing is queued, else in turn.
///
/// The order is that of scheduling either way. On a server nobody drains the main queue unless `dispatchMain()` or a main run
/// loop does, so nothing in this library uses it unless it is named.
public final class MainScheduler: Scheduler {
    private static let isMainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Actions that are queued or running.
    private let pending = Locked(0)

    /// A scheduler of its own; its actions and those of another one are not ordered.
    public init() {}

    /// Runs the action on the main queue.
    ///
    /// - Returns: A disposable, or nil if the action has run already.
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

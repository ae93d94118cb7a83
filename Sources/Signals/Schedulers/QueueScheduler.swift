public import Dispatch

/// Runs actions on a serial queue of its own, never before `schedule` returns.
public final class QueueScheduler: DelayScheduler {
    /// The scheduler of the main queue.
    ///
    /// On a server nobody drains that queue unless `dispatchMain()` or a main run loop does.
    public static let main = QueueScheduler(serialQueue: .main)

    /// The queue that actions run on.
    public let queue: DispatchQueue

    private init(serialQueue: DispatchQueue) { queue = serialQueue }

    /// A scheduler with a queue of its own.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue.
    ///   - name: The label of the queue, for debuggers.
    ///   - target: The queue on whose threads it runs. Actions are serial even if that queue is concurrent.
    public init(qos: DispatchQoS = .default, name: String? = nil, targeting target: DispatchQueue? = nil) {
        queue = DispatchQueue(label: name ?? "ReactiveSignals.QueueScheduler", qos: qos, target: target)
    }

    /// A scheduler over a queue of the user's. Actions are serial even if that queue is concurrent.
    public convenience init(queue: DispatchQueue) { self.init(targeting: queue) }

    /// Puts the action at the end of the queue.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        queue.async { CurrentScheduler.run(on: self) { scheduled.run() } }
        return scheduled
    }

    /// The present moment of the system's monotonic clock, which stands still while the system sleeps.
    public var now: SuspendingClock.Instant { .now }

    /// Puts the action at the end of the queue when the time has come.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        DispatchTimer(on: queue, after: delay, interval: nil, leeway: leeway) {
            CurrentScheduler.run(on: self, action)
        }
    }

    /// Puts the action at the end of the queue at each of the moments.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(interval > .zero, "QueueScheduler.schedule(interval: \(interval)): the interval must be positive")
        return DispatchTimer(on: queue, after: delay, interval: interval, leeway: leeway) {
            CurrentScheduler.run(on: self, action)
        }
    }
}

public import Dispatch

/// Runs actions on a serial queue of its own, never before `schedule` returns.
public final class QueueScheduler: DelayScheduler, TaskLocalDropping {
    /// The scheduler of the main queue.
    ///
    /// On a server nobody drains that queue unless `dispatchMain()` or a main run loop does.
    public static let main = QueueScheduler(serialQueue: .main)

    /// The queue that actions run on.
    public let queue: DispatchQueue

    private let propagated: PropagatedTaskLocals

    package var dropsTaskLocals: Bool { propagated.areNone }

    private init(serialQueue: DispatchQueue) {
        queue = serialQueue
        propagated = PropagatedTaskLocals()
    }

    private init(
        _ qos: DispatchQoS, _ name: String?, _ target: DispatchQueue?, _ propagated: PropagatedTaskLocals
    ) {
        queue = DispatchQueue(label: name ?? "ReactiveSignals.QueueScheduler", qos: qos, target: target)
        self.propagated = propagated
    }

    /// A scheduler with a queue of its own.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue. Unspecified, an action has that of the code that schedules it.
    ///   - name: The label of the queue, for debuggers.
    ///   - target: The queue on whose threads it runs. Actions are serial even if that queue is concurrent.
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String? = nil, targeting target: DispatchQueue? = nil
    ) {
        self.init(qos, name, target, PropagatedTaskLocals())
    }

    /// A scheduler with a queue of its own, which carries task-locals to its actions.
    ///
    ///     enum Request {
    ///         @TaskLocal static var id = "none"
    ///     }
    ///
    ///     let scheduler = QueueScheduler(propagating: Request.$id)
    ///     Request.$id.withValue("42") {
    ///         scheduler.schedule { print(Request.id) }  // 42, on the queue
    ///     }
    ///
    /// A queue drops task-locals, and there is no way to copy them all, so those that matter are named here. Their values are taken
    /// when `schedule` is called, and are in force while the action runs, each time that it does; they are released with the action.
    /// ``ActorScheduler``, ``MainActorScheduler`` and ``ExecutorScheduler`` carry all task-locals by themselves.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue. Unspecified, an action has that of the code that schedules it.
    ///   - name: The label of the queue, for debuggers.
    ///   - target: The queue on whose threads it runs. Actions are serial even if that queue is concurrent.
    ///   - first: A task-local to carry: the projected value, `Request.$id`.
    ///   - others: More of them.
    public convenience init<First: Sendable, each Other: Sendable>(
        qos: DispatchQoS = .unspecified, name: String? = nil, targeting target: DispatchQueue? = nil,
        propagating first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>
    ) {
        self.init(qos, name, target, PropagatedTaskLocals(first, repeat each others))
    }

    /// A scheduler over a queue of the user's. Actions are serial even if that queue is concurrent.
    public convenience init(queue: DispatchQueue) { self.init(targeting: queue) }

    /// A scheduler over a queue of the user's, which carries task-locals to its actions.
    ///
    /// - Parameters:
    ///   - queue: Actions are serial even if it is concurrent.
    ///   - first: A task-local to carry: see ``init(qos:name:targeting:propagating:_:)``.
    ///   - others: More of them.
    public convenience init<First: Sendable, each Other: Sendable>(
        queue: DispatchQueue, propagating first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>
    ) {
        self.init(targeting: queue, propagating: first, repeat each others)
    }

    /// Puts the action at the end of the queue.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(propagated.carried(by: action))
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
        let carried = propagated.carried(by: action)
        return DispatchTimer(on: queue, after: delay, interval: nil, leeway: leeway) {
            CurrentScheduler.run(on: self, carried)
        }
    }

    /// Puts the action at the end of the queue at each of the moments.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(interval > .zero, "QueueScheduler.schedule(interval: \(interval)): the interval must be positive")
        let carried = propagated.carried(by: action)
        return DispatchTimer(on: queue, after: delay, interval: interval, leeway: leeway) {
            CurrentScheduler.run(on: self, carried)
        }
    }
}

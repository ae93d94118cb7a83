public import Dispatch

/// Runs actions on its own serial dispatch queue, never inside the call of `schedule`.
///
/// Use it for background work, and wherever an operator takes a ``DelayScheduler``. All delayed actions wait for one
/// timer of the system, so a waiting time costs little, and even less if it is disposed of before it is over. Those
/// that are due together run one after another, in the order in which they are due. Without a quality of service of the
/// queue, that of a delayed action can be that of the code that scheduled another one.
public final class QueueScheduler: DelayScheduler, SystemTimed {
    /// A scheduler that uses the main queue.
    ///
    /// On a server nothing drains that queue unless you call `dispatchMain()` or run a main run loop.
    public static let main = QueueScheduler(serialQueue: .main)

    /// The queue that runs the actions.
    public let queue: DispatchQueue

    private let propagated: PropagatedTaskLocals
    private let timer: QueueTimer

    /// Whether the scheduler carries no task-local values: it has been created without a list of these.
    public var dropsTaskLocals: Bool { propagated.areNone }

    private init(serialQueue: DispatchQueue) {
        queue = serialQueue
        timer = QueueTimer(serialQueue)
        propagated = PropagatedTaskLocals()
    }

    private init(
        _ qos: DispatchQoS, _ name: String?, _ target: DispatchQueue?, _ propagated: PropagatedTaskLocals
    ) {
        queue = DispatchQueue(label: name ?? "ReactiveSignals.QueueScheduler", qos: qos, target: target)
        timer = QueueTimer(queue)
        self.propagated = propagated
    }

    deinit { timer.cancel() }

    /// Creates a scheduler with its own queue.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue. If unspecified, an action uses that of the code that schedules it.
    ///   - name: The label of the queue, for debuggers.
    ///   - target: The target queue. Actions are serial even if that queue is concurrent.
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String? = nil, targeting target: DispatchQueue? = nil
    ) {
        self.init(qos, name, target, PropagatedTaskLocals())
    }

    /// Creates a scheduler with its own queue that carries task-local values to its actions.
    ///
    /// ```swift
    /// enum Request {
    ///     @TaskLocal static var id = "none"
    /// }
    ///
    /// let scheduler = QueueScheduler(propagating: Request.$id)
    /// Request.$id.withValue("42") {
    ///     scheduler.schedule { print(Request.id) }  // 42, on the queue
    /// }
    /// ```
    ///
    /// A dispatch queue drops task-local values, and there is no public way to copy all of them, so you name those you
    /// need. The scheduler captures their values when you call `schedule`, and applies them each time the action runs.
    /// ``ActorScheduler``, ``MainActorScheduler`` and ``ExecutorScheduler`` carry all task-local values.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the queue. If unspecified, an action uses that of the code that schedules it.
    ///   - name: The label of the queue, for debuggers.
    ///   - target: The target queue. Actions are serial even if that queue is concurrent.
    ///   - first: A task-local value to carry, as its projected value: `Request.$id`.
    ///   - others: More task-local values.
    public convenience init<First: Sendable, each Other: Sendable>(
        qos: DispatchQoS = .unspecified, name: String? = nil, targeting target: DispatchQueue? = nil,
        propagating first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>
    ) {
        self.init(qos, name, target, PropagatedTaskLocals(first, repeat each others))
    }

    /// Creates a scheduler that runs on an existing queue. Actions are serial even if that queue is concurrent.
    public convenience init(queue: DispatchQueue) { self.init(targeting: queue) }

    /// Creates a scheduler that runs on an existing queue and carries task-local values to its actions.
    ///
    /// - Parameters:
    ///   - queue: The queue. Actions are serial even if it is concurrent.
    ///   - first: A task-local value to carry: see ``init(qos:name:targeting:propagating:_:)``.
    ///   - others: More task-local values.
    public convenience init<First: Sendable, each Other: Sendable>(
        queue: DispatchQueue, propagating first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>
    ) {
        self.init(targeting: queue, propagating: first, repeat each others)
    }

    /// Adds the action to the end of the queue.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(propagated.carried(by: action))
        queue.async { CurrentScheduler.run(on: self) { scheduled.run() } }
        return scheduled
    }

    /// The current instant of the system's monotonic clock, which stops while the system sleeps.
    public var now: SuspendingClock.Instant { .now }

    package var systemClock: SystemClock? { .suspending }

    /// Runs the action on the queue after the delay.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        add(after: delay, interval: nil, leeway: leeway, action)
    }

    /// Runs the action on the queue at each of the instants.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        require(interval > .zero, "QueueScheduler.schedule(interval: \(interval)): the interval must be positive")
        return add(after: delay, interval: interval, leeway: leeway, action)
    }

    private func add(
        after delay: Duration, interval: Duration?, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        let carried = propagated.carried(by: action)
        // An action retains the scheduler until it has run or is disposed of.
        return timer.schedule(after: delay, interval: interval, leeway: leeway) {
            CurrentScheduler.run(on: self, carried)
        }
    }
}

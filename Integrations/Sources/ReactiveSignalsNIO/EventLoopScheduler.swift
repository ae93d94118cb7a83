public import NIOCore
public import ReactiveSignals

/// Runs actions on an event loop, never inside the call of `schedule`.
///
/// ```swift
/// let scheduler = EventLoopScheduler(channel.eventLoop)
/// lines.debounce(.milliseconds(200), on: scheduler).observeNext { line in
///     channel.writeAndFlush(line, promise: nil)  // on the event loop, so without a hop
/// }
/// ```
///
/// Actions run one at a time, in the order in which they were scheduled, together with everything else on the event
/// loop. Those that are due at a time run when the event loop has arrived at it. The time is that of the event loop,
/// so it is virtual with an `EmbeddedEventLoop`.
///
/// **Never block in an action**: every channel of the event loop would wait.
///
/// **Task-locals**: an action runs without the task-locals of the code that schedules it, apart from those that you
/// name with ``init(_:propagating:_:)``. `ExecutorScheduler(eventLoop.executor)` carries all of them, but has no clock.
///
/// **After the event loop has shut down**, actions run on a dispatch queue of this scheduler instead: one at a time, in
/// order, and each at its time. So streams still end, and no `await` waits forever. `eventLoop.inEventLoop` is then
/// `false`. SwiftNIO prints a message when it first refuses an action. To avoid both, end the streams before you shut
/// the event loop down.
///
/// The scheduler retains the event loop.
public final class EventLoopScheduler: DelayScheduler {
    /// A point in the time of an event loop.
    public struct Instant: InstantProtocol {
        /// The same point, as SwiftNIO's type.
        public let deadline: NIODeadline

        /// Creates an instant.
        public init(_ deadline: NIODeadline) { self.deadline = deadline }

        /// Returns the instant that is `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(deadline + TimeAmount(duration)) }

        /// Returns the time from this instant to another one.
        public func duration(to other: Instant) -> Duration { Duration(other.deadline - deadline) }

        /// Returns whether an instant is earlier than another one.
        public static func < (left: Instant, right: Instant) -> Bool { left.deadline < right.deadline }
    }

    /// The event loop that runs the actions.
    public var eventLoop: any EventLoop { lane.eventLoop }

    /// Whether the scheduler carries no task-local values: it has been created without a list of these.
    public var dropsTaskLocals: Bool { propagated.areNone }

    private let lane: EventLoopLane
    private let propagated: PropagatedLocals

    private init(_ eventLoop: any EventLoop, _ propagated: PropagatedLocals) {
        lane = EventLoopLane(eventLoop)
        self.propagated = propagated
    }

    /// Creates a scheduler that runs actions on an event loop.
    public convenience init(_ eventLoop: any EventLoop) { self.init(eventLoop, PropagatedLocals()) }

    /// Creates a scheduler that runs actions on an event loop, and carries task-local values to them.
    ///
    /// ```swift
    /// let scheduler = EventLoopScheduler(channel.eventLoop, propagating: ServiceContext.$current)
    /// ```
    ///
    /// The scheduler captures the values when you call `schedule`, and applies them each time the action runs.
    ///
    /// - Parameters:
    ///   - eventLoop: The event loop.
    ///   - first: A task-local value to carry, as its projected value: `Request.$id`.
    ///   - others: More task-local values.
    public convenience init<First: Sendable, each Other: Sendable>(
        _ eventLoop: any EventLoop, propagating first: TaskLocal<First>, _ others: repeat TaskLocal<each Other>
    ) {
        self.init(eventLoop, PropagatedLocals(first, repeat each others))
    }

    /// Adds the action to the end of the tasks of the event loop.
    ///
    /// - Returns: A disposable that cancels the action if it has not begun, and releases it immediately.
    @discardableResult
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = EventLoopAction(propagated.carried(by: action))
        lane.run { scheduled.run() }
        return scheduled
    }

    /// The current instant of the event loop.
    public var now: Instant { Instant(eventLoop.now) }

    /// Runs the action after the delay. The event loop has no leeway, so it ignores this one.
    @discardableResult
    public func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        EventLoopTimer(on: lane, after: delay, interval: nil, propagated.carried(by: action))
    }

    /// Runs the action at each of the instants. The event loop has no leeway, so it ignores this one.
    @discardableResult
    @_disfavoredOverload
    public func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        precondition(
            interval > .zero, "EventLoopScheduler.schedule(interval: \(interval)): the interval must be positive")
        return EventLoopTimer(
            on: lane, after: delay, interval: max(TimeAmount(interval), .nanoseconds(1)), propagated.carried(by: action)
        )
    }
}

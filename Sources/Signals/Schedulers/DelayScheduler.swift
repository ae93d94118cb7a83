/// A scheduler with a clock: it runs actions now, later, and again and again.
///
/// Its time is monotonic: it does not jump when somebody sets the date.
public protocol DelayScheduler: Scheduler {
    /// A moment of its time.
    associatedtype Instant: InstantProtocol where Instant.Duration == Duration

    /// The present moment.
    var now: Instant { get }

    /// Schedules an action for later.
    ///
    /// - Parameters:
    ///   - delay: How long after the present moment, at least. A delay that is not positive means as soon as possible.
    ///   - leeway: How much later it may run, so that the system can wake up for several timers at once.
    ///   - action: Run once.
    /// - Returns: A disposable that stops the timer at once and drops the action.
    @discardableResult
    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)?

    /// Schedules an action that repeats, without drift, until it is disposed of.
    ///
    /// - Parameters:
    ///   - delay: How long after the present moment it runs first.
    ///   - interval: The time between two runs; traps unless it is positive. Runs that are missed, because one took longer
    ///     than that, are not made up for.
    ///   - leeway: How much later each may run. It does not add up.
    ///   - action: Run at each of these moments.
    /// - Returns: A disposable that stops the timer at once; no further run begins.
    @discardableResult
    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)?
}

extension DelayScheduler {
    /// Schedules an action for later, as exactly as the system can.
    @discardableResult
    public func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, leeway: .zero, action)
    }

    /// Schedules an action that repeats, with a leeway of a tenth of the interval.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, interval: interval, leeway: interval / 10, action)
    }
}

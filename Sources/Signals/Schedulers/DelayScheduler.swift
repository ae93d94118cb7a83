/// A scheduler with a clock, which can run actions after a delay and repeatedly.
///
/// Its time is monotonic: changing the system date does not affect it.
public protocol DelayScheduler: Scheduler {
    /// A point in the time of the scheduler.
    associatedtype Instant: InstantProtocol where Instant.Duration == Duration

    /// The current instant.
    var now: Instant { get }

    /// Schedules an action to run after a delay.
    ///
    /// - Parameters:
    ///   - delay: The minimum delay. Zero or less means as soon as possible.
    ///   - leeway: How much later the action may run, so that the system can combine wake-ups.
    ///   - action: Runs once.
    /// - Returns: A disposable that stops the timer immediately and releases the action.
    @discardableResult
    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)?

    /// Schedules an action to run repeatedly, without drift, until it is disposed of.
    ///
    /// - Parameters:
    ///   - delay: The delay before the first run. Zero or less means as soon as possible.
    ///   - interval: The time between two runs. Traps unless positive. If runs are missed, because an action took
    ///     longer than the interval or the thread was busy, the action runs once for all of them as soon as it can,
    ///     and then at the first of its instants that has not passed.
    ///   - leeway: How much later each run may be. It does not accumulate.
    ///   - action: Runs at each of these instants.
    /// - Returns: A disposable that stops the timer immediately. No further run begins.
    @discardableResult
    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)?
}

extension DelayScheduler {
    /// Schedules an action to run after a delay, without leeway.
    @discardableResult
    public func schedule(
        after delay: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, leeway: .zero, action)
    }

    /// Schedules an action to run repeatedly, with a leeway of a tenth of the interval: see
    /// ``schedule(after:interval:leeway:_:)``.
    ///
    /// - Parameters:
    ///   - delay: The delay before the first run. Zero or less means as soon as possible.
    ///   - interval: The time between two runs. Traps unless positive.
    ///   - action: Runs at each of these instants.
    @discardableResult
    public func schedule(
        after delay: Duration, interval: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: delay, interval: interval, leeway: interval / 10, action)
    }
}

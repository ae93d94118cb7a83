extension Signal {
    /// Limits the rate of values, and passes each value that it drops to a closure.
    ///
    /// Like ``throttle(_:on:latest:discardWhenCompleted:)``. Use the closure to count what an overloaded consumer
    /// misses, or to log it. RxJava's `throttleFirst` and `throttleLatest` with `onDropped`.
    ///
    /// ```marbles
    /// source                        --1-2-3-4----------5--|
    /// source.throttle(.seconds(5), on: clock,
    ///     onDropped: { _ in })      --1----3----4------5--|
    /// ```
    ///
    /// The closure is called with 2, when 3 replaces it.
    ///
    /// A value is dropped when another one replaces it, when it arrives during an interval without `latest`, and when
    /// an end of the source or a disposal discards it. The closure runs on the thread that does this, under no lock of
    /// the library: a slow closure delays the sender. Several threads can call it at the same time. `dispose()` calls
    /// it, too, so do not dispose of the result while you hold a lock that the closure takes. If a scheduler that is
    /// shut down drops the value, a thread of the library calls it. It is not called for values that the source sends
    /// after the result has ended, or for a value that is being sent while the result is disposed of.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - latest: Whether the latest value of an interval is sent when the interval is over. If `false`, values that
    ///     arrive during an interval are dropped.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and drops the pending value. If `false`,
    ///     the value is sent when it is due, followed by the completion.
    ///   - onDropped: Called with each value that is dropped.
    @_alwaysEmitIntoClient
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, latest: Bool = true, discardWhenCompleted: Bool = true,
        onDropped: @escaping @Sendable (Value) -> Void
    ) -> Signal {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        let machine = ThrottleMachine<Value, Failure>(
            interval: interval, latest: latest, discardWhenCompleted: discardWhenCompleted)
        return deriveTimed(
            "throttle: @", argument: interval.nanoseconds, on: scheduler,
            running: ReportingMachine(machine, onDropped: onDropped))
    }
}

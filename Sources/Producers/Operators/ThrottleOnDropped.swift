extension SignalProducer {
    /// Limits the rate of values, and passes each value that it drops to a closure.
    ///
    /// Like ``/HotSignals/Signal/throttle(_:on:latest:discardWhenCompleted:onDropped:)`` of signals, separately for
    /// each start.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - latest: Whether the latest value of an interval is sent when the interval is over. If `false`, values that
    ///     arrive during an interval are dropped.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and drops the pending value. If `false`,
    ///     the value is sent when it is due, followed by the completion.
    ///   - onDropped: Called with each value that is dropped, on the thread that drops it.
    @_alwaysEmitIntoClient
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, latest: Bool = true, discardWhenCompleted: Bool = true,
        onDropped: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative")
        let machine = ThrottleMachine<Value, Failure>(
            interval: interval, latest: latest, discardWhenCompleted: discardWhenCompleted)
        return derive("throttle: @", argument: interval.nanoseconds, on: scheduler, onDropped: onDropped) {
            TimedSink(
                ReportingMachine(machine, onDropped: onDropped), clock: OperatorClock(scheduler),
                downstream: GateSink($0))
        }
    }
}

extension SignalProducer {
    /// Limits the rate of values: sends at most one per interval, always the latest.
    ///
    /// Like ``/HotSignals/Signal/throttle(_:on:latest:discardWhenCompleted:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - latest: Whether the latest value of an interval is sent when the interval is over. If `false`, values that
    ///     arrive during an interval are discarded.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, latest: Bool = true, discardWhenCompleted: Bool = true,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative", file: file, line: line)
        return deriveTimed(
            "throttle: @", argument: interval.nanoseconds, on: scheduler,
            running: ThrottleMachine(interval: interval, latest: latest, discardWhenCompleted: discardWhenCompleted))
    }
}

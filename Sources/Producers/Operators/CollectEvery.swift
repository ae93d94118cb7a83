extension SignalProducer {
    /// Sends the values of each interval as an array.
    ///
    /// Like ``/HotSignals/Signal/collect(every:on:skipEmpty:discardWhenCompleted:file:line:)`` of signals, separately
    /// for each start. The first interval begins with the start.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where observers are called.
    ///   - skipEmpty: Whether to send nothing, rather than `[]`, for an interval without values.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the collected values. If
    ///     `false`, both are sent at the end of the interval.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func collect(
        every interval: Duration, on scheduler: some DelayScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<[Value], Failure> {
        require(interval > .zero, "collect(every: \(interval)): the interval must be positive", file: file, line: line)
        return deriveTimed(
            "collect(every: @)", argument: interval.nanoseconds, on: scheduler,
            running: CollectEveryMachine(
                interval: interval, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted))
    }
}

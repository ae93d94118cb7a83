extension SignalProducer {
    /// Sends a value only after the source has been quiet for `interval`.
    ///
    /// Like ``/HotSignals/Signal/debounce(_:on:discardWhenCompleted:file:line:)`` of signals, separately for each
    /// start.
    ///
    /// - Parameters:
    ///   - interval: How long the source must be quiet after a value. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the pending value. If
    ///     `false`, the value is sent when it is due, followed by the completion.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func debounce(
        _ interval: Duration, on scheduler: some DelayScheduler, discardWhenCompleted: Bool = true,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        require(interval >= .zero, "debounce(\(interval)): the interval must not be negative", file: file, line: line)
        return deriveTimed(
            "debounce: @", argument: interval.nanoseconds, on: scheduler,
            running: DebounceMachine(interval: interval, discardWhenCompleted: discardWhenCompleted))
    }
}

extension SignalProducer {
    /// Delays each value and the completion.
    ///
    /// Like ``/HotSignals/Signal/delay(_:on:file:line:)`` of signals, separately for each start. The work itself is not
    /// delayed.
    ///
    /// - Parameters:
    ///   - interval: The delay. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func delay(
        _ interval: Duration, on scheduler: some DelayScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative", file: file, line: line)
        return deriveTimed(
            "delay: @", argument: interval.nanoseconds, on: scheduler,
            running: DelayMachine(interval: interval))
    }
}

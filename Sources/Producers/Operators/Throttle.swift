extension SignalProducer {
    /// Limits the rate of values: sends at most one per interval, always the latest.
    ///
    /// Like ``/HotSignals/Signal/throttle(_:on:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two values. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func throttle(
        _ interval: Duration, on scheduler: some DelayScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        require(interval >= .zero, "throttle(\(interval)): the interval must not be negative", file: file, line: line)
        return derive("throttle: @", argument: interval.nanoseconds, on: scheduler) {
            ThrottleSink(core: $0, interval: interval, scheduler: scheduler)
        }
    }
}

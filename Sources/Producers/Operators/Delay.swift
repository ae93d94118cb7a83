extension SignalProducer {
    /// Sends each value, and the completion, later.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. The work itself is not delayed.
    ///
    /// - Parameters:
    ///   - interval: How much later. Traps if negative.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func delay(
        _ interval: Duration, on scheduler: some DelayScheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        require(interval >= .zero, "delay(\(interval)): the interval must not be negative", file: file, line: line)
        return lift("delay: @", argument: interval.nanoseconds, .scheduled) {
            $0.delay(interval, on: scheduler, file: file, line: line)
        }
    }
}

extension SignalProducer {
    /// Fails unless the source terminates in time.
    ///
    /// Like ``/HotSignals/Signal/timeout(after:raising:on:file:line:)-8qg27`` of signals. The time runs from the start.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func timeout(
        after interval: Duration, raising error: Failure, on scheduler: some DelayScheduler,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        require(
            interval >= .zero, "timeout(after: \(interval)): the interval must not be negative", file: file, line: line)
        return lift("timeout(after: @)", argument: interval.nanoseconds) {
            $0.timeout(after: interval, raising: error, on: scheduler, file: file, line: line)
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Fails unless the source, which cannot fail itself, terminates in time.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func timeout<NewFailure: Error>(
        after interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(after: interval, raising: error, on: scheduler, file: file, line: line)
    }
}

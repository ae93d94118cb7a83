extension SignalProducer {
    /// Fails unless the source ends in time.
    ///
    /// Like the operator on ``/HotSignals/Signal``; the time runs from the start.
    ///
    /// - Parameters:
    ///   - interval: With zero the error is scheduled at once. Traps if negative.
    ///   - error: What is sent when the time is up.
    ///   - scheduler: Whose time it is.
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
    /// Fails unless the source, which cannot fail by itself, ends in time.
    ///
    /// - Parameters:
    ///   - interval: With zero the error is scheduled at once. Traps if negative.
    ///   - error: What is sent when the time is up.
    ///   - scheduler: Whose time it is.
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

extension Signal {
    /// Fails unless the source terminates in time.
    ///
    /// ```marbles
    /// source                                                          --1--2--3--4--...
    /// source.timeout(after: .seconds(10), raising: X(), on: clock)    --1--2--3-X
    /// ```
    ///
    /// The time runs from this call until the source terminates. Values do not restart it, and are forwarded on their
    /// sender's thread. When the time is up, the error is sent on the scheduler and the source is released.
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
    ) -> Signal {
        require(
            interval >= .zero, "timeout(after: \(interval)): the interval must not be negative", file: file, line: line)
        return derive("timeout(after: @)", argument: interval.nanoseconds) { downstream, lifetime in
            let core = downstream.core
            lifetime += scheduler.schedule(after: interval) { core.sendEnd(.error(error)) }
            return ForwardingSink(downstream: downstream)
        }
    }
}

extension Signal where Failure == Never {
    /// Fails unless the signal, which cannot fail itself, terminates in time.
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
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(after: interval, raising: error, on: scheduler, file: file, line: line)
    }
}

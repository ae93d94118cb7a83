extension Signal {
    /// Fails unless the source ends in time.
    ///
    ///     source                             --1--2--3--4--...
    ///     timeout(after: 10, raising: X)     --1--2--3-X
    ///
    /// The time runs from this call to the end of the source; values do not set it back, and are passed on meanwhile, on their
    /// sender's thread. When it is up the error is sent on the scheduler, and the source is let go.
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
    /// Fails unless the signal, which cannot fail by itself, ends in time.
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
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(after: interval, raising: error, on: scheduler, file: file, line: line)
    }
}

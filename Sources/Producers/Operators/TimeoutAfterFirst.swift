extension SignalProducer {
    /// Fails unless the source terminates within an interval after its first value.
    ///
    /// Like `timeout(afterFirst:raising:on:)` of signals, separately for each start. The time runs on while a consumer
    /// downstream suspends the source.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled after the first value. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(
        afterFirst interval: Duration, raising error: Failure, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        require(interval >= .zero, "timeout(afterFirst: \(interval)): the interval must not be negative")
        return limited(
            "timeout(afterFirst: @)", to: interval, endingWith: .error(error), waitingForValue: true, on: scheduler)
    }
}

extension SignalProducer where Failure == Never {
    /// Fails unless the producer, which cannot fail itself, terminates within an interval after its first value.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled after the first value. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        afterFirst interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> SignalProducer<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(afterFirst: interval, raising: error, on: scheduler)
    }
}

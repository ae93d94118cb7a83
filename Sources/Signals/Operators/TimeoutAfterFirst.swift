extension Signal {
    /// Fails unless the source terminates within an interval after its first value.
    ///
    /// Like `timeout(after:raising:on:)`, but the source may take any time until its first value: a connection may stay
    /// idle, but a request that has begun to arrive must arrive as a whole.
    ///
    /// ```marbles
    /// source                                     ----1--2--3--4--5--...
    /// source.timeout(afterFirst: .seconds(8),
    ///     raising: X(), on: clock)               ----1--2--3-X
    /// ```
    ///
    /// The interval begins when the observer has handled the first value. Later values do not restart it. Values are
    /// forwarded on their sender's thread. When the time is up, the error is sent as by `timeout(after:raising:on:)`,
    /// and the source is released.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled after the first value. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(
        afterFirst interval: Duration, raising error: Failure, on scheduler: some DelayScheduler
    ) -> Signal {
        require(interval >= .zero, "timeout(afterFirst: \(interval)): the interval must not be negative")
        return limited(
            "timeout(afterFirst: @)", to: interval, endingWith: .error(error), waitingForValue: true, on: scheduler)
    }
}

extension Signal where Failure == Never {
    /// Fails unless the signal, which cannot fail itself, terminates within an interval after its first value.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled after the first value. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        afterFirst interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(afterFirst: interval, raising: error, on: scheduler)
    }
}

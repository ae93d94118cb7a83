extension Signal {
    /// Fails unless the source terminates in time.
    ///
    /// ```marbles
    /// source                                                          --1--2--3--4--...
    /// source.timeout(after: .seconds(10), raising: X(), on: clock)    --1--2--3-X
    /// ```
    ///
    /// The time runs from this call until the source terminates. Values do not restart it, and are forwarded on their
    /// sender's thread. When the time is up, the error is sent on the scheduler and the source is released. While an
    /// observer is handling a value, the scheduler does not wait for it: the thread of the value sends the error
    /// afterwards.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(after interval: Duration, raising error: Failure, on scheduler: some DelayScheduler) -> Signal {
        require(interval >= .zero, "timeout(after: \(interval)): the interval must not be negative")
        return limited("timeout(after: @)", to: interval, endingWith: .error(error), on: scheduler)
    }

    /// Fails if the source is silent for an interval.
    ///
    /// Like `timeout(after:raising:on:)`, but each value restarts the interval. Use both to limit the gaps
    /// and the whole.
    ///
    /// ```marbles
    /// source                                                           --1--2--------...
    /// source.timeout(between: .seconds(5), raising: X(), on: clock)    --1--2----X
    /// ```
    ///
    /// The interval runs from this call to the first value, from each value to the next, and from the last value to the
    /// terminal event. It begins when the observer has handled the value: its own time is not silence of the source,
    /// and the interval cannot pass meanwhile. Values are forwarded on their sender's thread. If the interval passes,
    /// the error is sent as by `timeout(after:raising:on:)`, and the source is released. Costs a reading of the
    /// scheduler's clock per value, but no timer.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the interval has passed.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout(
        between interval: Duration, raising error: Failure, on scheduler: some DelayScheduler
    ) -> Signal {
        require(interval >= .zero, "timeout(between: \(interval)): the interval must not be negative")
        return watch(
            "timeout(between: @)", WatchMachine(interval: interval, termination: .error(error)), on: scheduler,
            alert: { AlertSink($0) })
    }
}

extension Signal where Failure == Never {
    /// Fails unless the signal, which cannot fail itself, terminates in time.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the time is up.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        after interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(after: interval, raising: error, on: scheduler)
    }

    /// Fails if the signal, which cannot fail itself, is silent for an interval.
    ///
    /// - Parameters:
    ///   - interval: The longest silence. With zero, the error is scheduled immediately. Traps if negative.
    ///   - error: Sent when the interval has passed.
    ///   - scheduler: Measures the time, and sends the error.
    @_alwaysEmitIntoClient
    public func timeout<NewFailure: Error>(
        between interval: Duration, raising error: NewFailure, on scheduler: some DelayScheduler
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).timeout(between: interval, raising: error, on: scheduler)
    }
}

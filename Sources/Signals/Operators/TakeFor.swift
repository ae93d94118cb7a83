extension Signal {
    /// Completes when an interval is over.
    ///
    /// ```marbles
    /// source                                      --1--2--3--4--...
    /// source.take(for: .seconds(7), on: clock)    --1--2-|
    /// ```
    ///
    /// The interval begins with this call. Values are forwarded on their sender's thread. When the interval is over,
    /// the completion is sent on the scheduler and the source is released. While an observer is handling a value, the
    /// scheduler does not wait for it: the thread of the value sends the completion afterwards. A terminal event of the
    /// source is forwarded immediately. Buffers nothing.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the completion is scheduled immediately. Traps if negative.
    ///   - scheduler: Measures the time, and sends the completion.
    @_alwaysEmitIntoClient
    public func take(for interval: Duration, on scheduler: some DelayScheduler) -> Signal {
        require(interval >= .zero, "take(for: \(interval)): the interval must not be negative")
        return limited("take(for: @)", to: interval, endingWith: .completed, on: scheduler)
    }
}

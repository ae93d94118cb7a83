extension SignalProducer {
    /// Completes when an interval is over.
    ///
    /// Like ``/HotSignals/Signal/take(for:on:)`` of signals, separately for each start. The interval begins
    /// with the start.
    ///
    /// - Parameters:
    ///   - interval: The time limit. With zero, the completion is scheduled immediately. Traps if negative.
    ///   - scheduler: Measures the time, and sends the completion.
    @_alwaysEmitIntoClient
    public func take(for interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "take(for: \(interval)): the interval must not be negative")
        return limited("take(for: @)", to: interval, endingWith: .completed, on: scheduler)
    }
}

extension SignalProducer {
    /// Delays each start.
    ///
    /// Nothing runs until the interval is over. Then the producer is started on the scheduler. Its events are not
    /// delayed. A disposal before that stops the timer, and the observer receives `interrupted`.
    ///
    /// ```marbles
    /// cold work                                  --1--2--|
    /// work.delayStart(.seconds(3), on: clock)    -----1--2--|
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The delay. Traps if negative.
    ///   - scheduler: Measures the time, and starts the producer.
    @_alwaysEmitIntoClient
    public func delayStart(_ interval: Duration, on scheduler: some DelayScheduler) -> SignalProducer {
        require(interval >= .zero, "delayStart(\(interval)): the interval must not be negative")
        return SignalProducer(derivedName("delayStart: @", interval.nanoseconds), of: self) { _, sink in
            SerialStart.run(
                into: sink, .wait({ scheduler.schedule(after: interval, $0) }, then: { step { .end($0) } }))
        }
    }
}

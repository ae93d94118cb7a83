extension SignalProducer {
    /// Delays each value for as long as a closure says for that value.
    ///
    /// Like ``/HotSignals/Signal/delay(on:by:)`` of signals, separately for each start. Does **not** preserve the
    /// order. The work itself is not delayed.
    ///
    /// A consumer or an operator downstream that suspends its source suspends the source of this operator, which then
    /// also waits while 256 values are being delayed. Otherwise, their number is unbounded.
    ///
    /// - Parameters:
    ///   - scheduler: Where observers are called.
    ///   - duration: The delay of a value. Called once per value, on its sender's thread. Traps if it returns a
    ///     negative duration.
    @_alwaysEmitIntoClient
    public func delay(
        on scheduler: some DelayScheduler, by duration: @escaping @Sendable (Value) -> Duration
    ) -> SignalProducer {
        derive("delay(by:)", on: scheduler, passesSuspension: true) { core in
            StockedSink(core.makeStock(limit: Room.queueLimit, goingOnAt: Room.queueLimit / 2), sendingTo: core) {
                DurationSink(
                    "delay(by:)", duration, DelayByMachine(), clock: OperatorClock(scheduler), downstream: $0)
            }
        }
    }
}

extension SignalProducer {
    /// Delivers every event on a scheduler, in order, lets a limited number of values wait, and passes each value that
    /// it drops to a closure.
    ///
    /// Like ``/HotSignals/Signal/buffer(upTo:whenFull:raising:on:onDropped:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: How many values may wait, apart from the one that observers are handling. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    ///   - scheduler: Where observers are called.
    ///   - onDropped: Called with each value that is dropped, on the thread that drops it.
    @_alwaysEmitIntoClient
    public func buffer(
        upTo count: Int, whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some Scheduler,
        onDropped: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer {
        let machine = ReportingMachine(
            reporting: BufferMachine<Value, Failure>(upTo: count, whenFull: overflow, raising: error),
            onDropped: onDropped)
        return derive("buffer(upTo: #)", argument: count, on: scheduler, onDropped: onDropped) {
            TimedSink(machine, clock: OperatorClock(withoutTime: scheduler), downstream: GateSink($0))
        }
    }
}

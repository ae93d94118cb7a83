extension SignalProducer {
    /// Delivers every event on a scheduler, in order, and lets a limited number of values wait.
    ///
    /// Like ``/HotSignals/Signal/buffer(upTo:whenFull:raising:on:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: How many values may wait, apart from the one that observers are handling. Traps unless positive.
    ///   - overflow: What happens when one more value arrives. `.fail` discards what waits, and sends `error`.
    ///   - error: The error of `.fail`, which traps without it.
    ///   - scheduler: Where observers are called.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func buffer(
        upTo count: Int, whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some Scheduler,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        let machine = BufferMachine<Value, Failure>(
            upTo: count, whenFull: overflow, raising: error, file: file, line: line)
        return derive("buffer(upTo: @)", argument: count, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(withoutTime: scheduler), downstream: GateSink($0))
        }
    }
}

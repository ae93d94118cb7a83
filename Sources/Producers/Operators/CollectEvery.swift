extension SignalProducer {
    /// Sends the values of each interval as an array.
    ///
    /// Like ``/HotSignals/Signal/collect(every:on:skipEmpty:discardWhenCompleted:)`` of signals, separately
    /// for each start. The first interval begins with the start.
    ///
    /// A consumer or an operator downstream that suspends its source suspends the source of this operator. Meanwhile,
    /// an array with values is sent when it is due, so the consumer may have to keep one more. No empty array is sent,
    /// whatever `skipEmpty` says. An interval may have any number of values: ``collect(every:upTo:on:)`` limits it.
    ///
    /// - Parameters:
    ///   - interval: Traps unless positive.
    ///   - scheduler: Where observers are called.
    ///   - skipEmpty: Whether to send nothing, rather than `[]`, for an interval without values.
    ///   - discardWhenCompleted: Whether completion is scheduled immediately and discards the collected values. If
    ///     `false`, both are sent at the end of the interval.
    @_alwaysEmitIntoClient
    public func collect(
        every interval: Duration, on scheduler: some DelayScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> SignalProducer<[Value], Failure> {
        require(interval > .zero, "collect(every: \(interval)): the interval must be positive")
        return derive("collect(every: @)", argument: interval.nanoseconds, on: scheduler, passesSuspension: true) {
            core in
            let machine = CollectEveryMachine<Value, Failure>(
                interval: interval, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted,
                suspendedBy: core.senders)
            return TimedSink(machine, clock: OperatorClock(scheduler), downstream: GateSink(core))
        }
    }
}

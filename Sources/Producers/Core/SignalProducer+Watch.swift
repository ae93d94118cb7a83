extension SignalProducer {
    /// Applies an operator that forwards all events, and watches the time.
    ///
    /// Like `watch` of signals, separately for each start. The result has its own gate, because the scheduler acts on
    /// it, too. Passes suspension on.
    @_alwaysEmitIntoClient
    package func watch<Alert: Sink>(
        _ name: StaticString, _ machine: WatchMachine<Failure>, on scheduler: some DelayScheduler,
        alert: @escaping @Sendable (Core<Value, Failure>) -> Alert
    ) -> SignalProducer where Alert.Value == Duration, Alert.Failure == Failure {
        derive(name, argument: machine.interval.nanoseconds, passesSuspension: true) { core in
            WatchSink(
                machine, clock: OperatorClock(scheduler), suspendedBy: core.senders, downstream: GateSink(core),
                alert: alert(core))
        }
    }

    /// Applies an operator that forwards all events, and ends the result when the time is up.
    ///
    /// Like `limited` of signals, separately for each start. Passes suspension on.
    @_alwaysEmitIntoClient
    func limited(
        _ name: StaticString, to interval: Duration, endingWith termination: Termination<Failure>,
        waitingForValue waits: Bool = false, on scheduler: some DelayScheduler
    ) -> SignalProducer {
        derive(name, argument: interval.nanoseconds, passesSuspension: true) { core in
            TimeLimitSink(
                of: interval, endingWith: termination, waitingForValue: waits, on: scheduler,
                downstream: GateSink(core), core: core)
        }
    }
}

extension SignalProducer {
    /// Applies an operator that forwards all events, and watches the time.
    ///
    /// Like `watch` of signals, separately for each start. The
    /// result has its own gate, because the scheduler acts on it, too. Passes suspension on.
    @_alwaysEmitIntoClient
    package func watch<Alert: Sink>(
        _ name: StaticString, _ machine: WatchMachine<Failure>, restartedByValues isRestarted: Bool,
        on scheduler: some DelayScheduler, alert: @escaping @Sendable (Core<Value, Failure>, SenderQueue?) -> Alert
    ) -> SignalProducer where Alert.Value == Duration, Alert.Failure == Failure {
        deriveSuspendable(name, argument: machine.interval.nanoseconds) { core, senders in
            WatchSink(
                machine, restartedByValues: isRestarted, clock: OperatorClock(scheduler), suspendedBy: senders,
                downstream: GateSink(core), alert: alert(core, senders))
        }
    }
}

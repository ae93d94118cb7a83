extension SignalProducer {
    /// Applies an operator whose result needs its own gate, because this producer's work is not the only source of its
    /// events: a scheduler or inner streams, for example, act on it too.
    ///
    /// Each start creates the core of the result, whose receiver is the downstream sink, and a start for the
    /// upstream producer. There is no signal in between.
    ///
    /// - Parameters:
    ///   - name: The operator as printed in the name of the result: see ``StreamName``.
    ///   - argument: The number in the name.
    ///   - scheduler: The scheduler on which the operator delivers all events, including the interruption caused by a
    ///     disposal.
    ///   - passesSuspension: Whether what suspends the result suspends this producer.
    ///   - onDropped: Called with a value that is no longer wanted when the scheduler delivers it.
    ///   - makeSink: Creates the operator's upstream sink from the core of the result. Called once per start.
    @inlinable
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        passesSuspension: Bool = false, onDropped: (@Sendable (NewValue) -> Void)? = nil,
        headed makeSink: @escaping @Sendable (Core<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let name = derivedName(name, argument)
        let contention = contention.behind(scheduler)
        let isSuspendable = passesSuspension && isSuspendable
        return SignalProducer<NewValue, NewFailure>(name, contention: contention, isSuspendable: isSuspendable) {
            start, downstream in
            let core = Core.result(
                named: name, contention: contention, on: scheduler, suspendedBy: isSuspendable ? start.senders : nil,
                into: downstream, onDropped: onDropped)
            beginUpstream(of: start, into: makeSink(core), headedBy: core)
        }
    }

    /// `derive` for an operator that sends at a time.
    ///
    /// - Parameter machine: The rules of the operator, before the first event.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler, running machine: Machine
    ) -> SignalProducer<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        derive(name, argument: argument, on: scheduler) {
            TimedSink(machine, clock: OperatorClock(scheduler), downstream: GateSink($0))
        }
    }
}

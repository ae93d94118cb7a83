extension SignalProducer {
    /// `derive` for a timed operator that reports what it drops.
    ///
    /// - Parameter onDropped: Called with a value that is no longer wanted when it is delivered. The machine reports
    ///   the others.
    @_alwaysEmitIntoClient
    func deriveReporting<Machine: TimedMachine>(
        _ name: StaticString, argument: Int, on scheduler: some Scheduler, clock: OperatorClock,
        running machine: ReportingMachine<Machine>, onDropped: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer
    where Machine.Value == Value, Machine.Output == Value, Machine.Failure == Failure {
        let name = derivedName(name, argument)
        let contention = contention.behind(scheduler)
        return SignalProducer(name, contention: contention) { start, downstream in
            let core = Core.result(
                named: name, contention: contention, on: scheduler, into: downstream, onDropped: onDropped)
            let sink = TimedSink(machine, clock: clock, downstream: GateSink(core))
            beginUpstream(of: start, into: sink, headedBy: core)
        }
    }
}

extension SignalProducer {
    /// `derive` for a timed operator that reports what it drops.
    ///
    /// - Parameter onDropped: Called with a value that is no longer wanted when it is delivered. The machine reports the
    ///   others.
    @_alwaysEmitIntoClient
    func deriveReporting<Machine: TimedMachine>(
        _ name: StaticString, argument: Int, on scheduler: some Scheduler, clock: OperatorClock,
        running machine: ReportingMachine<Machine>, onDropped: @escaping @Sendable (Value) -> Void
    ) -> SignalProducer
    where Machine.Value == Value, Machine.Output == Value, Machine.Failure == Failure {
        let name = derivedName(name, argument)
        let contention = contention.behind(scheduler)
        return SignalProducer(name, contention: contention) { start, downstream in
            let core = Core<Value, Failure>(rootNamed: name, contention: contention, scheduler: scheduler)
            core.adopt(ReportingWantedSink(downstream: downstream, onDropped: onDropped))
            let sink = TimedSink(machine, clock: clock, downstream: GateSink(core))
            beginUpstream(of: start, into: sink, headedBy: core)
        }
    }
}

/// Like ``WantedSink``, but passes a value that is no longer wanted to a closure: one that has been due when its start
/// is disposed of.
@frozen @usableFromInline
struct ReportingWantedSink<Value: Sendable, Failure: Error>: OperatorSink {
    @usableFromInline let downstream: ProducerSink<Value, Failure>
    @usableFromInline let onDropped: @Sendable (Value) -> Void

    @_alwaysEmitIntoClient
    init(downstream: ProducerSink<Value, Failure>, onDropped: @escaping @Sendable (Value) -> Void) {
        self.downstream = downstream
        self.onDropped = onDropped
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        if downstream.hasEnded { onDropped(value) } else { downstream.next(value) }
    }
}

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
    ///   - makeSink: Creates the operator's upstream sink from the core of the result. Called once per start.
    @_alwaysEmitIntoClient
    package func derive<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        headed makeSink: @escaping @Sendable (Core<NewValue, NewFailure>) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let name = derivedName(name, argument)
        let contention = contention.behind(scheduler)
        return SignalProducer<NewValue, NewFailure>(name, contention: contention) { start, downstream in
            let core = Core.result(named: name, contention: contention, on: scheduler, into: downstream)
            beginUpstream(of: start, into: makeSink(core), headedBy: core)
        }
    }

    /// The same for an operator that passes suspension on: what suspends the result suspends the source.
    ///
    /// - Parameter makeSink: Also receives what suspends the result of this start, if anything does.
    @_alwaysEmitIntoClient
    package func deriveSuspendable<NewValue, NewFailure, S: WorkingSink>(
        _ name: StaticString, argument: Int = 0, on scheduler: (any Scheduler)? = nil,
        headed makeSink: @escaping @Sendable (Core<NewValue, NewFailure>, SenderQueue?) -> S
    ) -> SignalProducer<NewValue, NewFailure> where S.Value == Value, S.Failure == Failure {
        let name = derivedName(name, argument)
        let contention = contention.behind(scheduler)
        return SignalProducer<NewValue, NewFailure>(name, contention: contention, isSuspendable: isSuspendable) {
            start, downstream in
            let core = Core.result(named: name, contention: contention, on: scheduler, into: downstream)
            let senders = isSuspendable ? start.senders : nil
            beginUpstream(of: start, into: makeSink(core, senders), headedBy: core, suspendedBy: senders)
        }
    }

    /// `deriveTimed` for an operator that queues values: if something suspends the result, the source is suspended by
    /// the operator, too, while `limit` values wait in it.
    ///
    /// - Parameters:
    ///   - share: The number at which the source goes on.
    ///   - count: How many values of the source have been sent with a value of the result. One if `nil`.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler, running machine: Machine,
        holding limit: Int, goingOnAt share: Int, count: (@Sendable (Machine.Output) -> Int)? = nil
    ) -> SignalProducer<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        deriveSuspendable(name, argument: argument, on: scheduler) { core, senders in
            let stock = senders.map { Stock(Room(limit: limit, goingOnAt: share, downstream: $0)) }
            return StockedSink(
                stock: stock,
                receiver: TimedSink(
                    machine, clock: OperatorClock(scheduler),
                    downstream: SentSink(stock: stock, count: count, downstream: GateSink(core))))
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

    /// The same for an operator that passes suspension on, with a machine that also sends without a value of the source.
    ///
    /// - Parameter make: Receives what suspends the result of a start, if anything does.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, argument: Int = 0, on scheduler: some DelayScheduler,
        suspendedBy make: @escaping @Sendable (SenderQueue?) -> Machine
    ) -> SignalProducer<Machine.Output, Failure> where Machine.Value == Value, Machine.Failure == Failure {
        deriveSuspendable(name, argument: argument, on: scheduler) { core, senders in
            TimedSink(make(senders), clock: OperatorClock(scheduler), downstream: GateSink(core))
        }
    }

    /// `deriveTimed` for an operator that has a duration per value.
    ///
    /// - Parameter limit: How many values may wait before the source is suspended. `nil` for an operator that drops
    ///   values, and so passes no suspension on.
    @_alwaysEmitIntoClient
    package func deriveTimed<Machine: TimedMachine>(
        _ name: StaticString, on scheduler: some DelayScheduler, running machine: Machine, holding limit: Int? = nil,
        by duration: @escaping @Sendable (Value) -> Duration
    ) -> SignalProducer<Machine.Output, Failure>
    where Machine.Value == ValueDuration<Value>, Machine.Failure == Failure {
        guard let limit else {
            return derive(name, on: scheduler) {
                DurationSink(
                    name, duration,
                    timed: TimedSink(machine, clock: OperatorClock(scheduler), downstream: GateSink($0)))
            }
        }
        return deriveSuspendable(name, on: scheduler) { core, senders in
            let stock = senders.map { Stock(Room(limit: limit, goingOnAt: limit / 2, downstream: $0)) }
            return StockedSink(
                stock: stock,
                receiver: DurationSink(
                    name, duration,
                    timed: TimedSink(
                        machine, clock: OperatorClock(scheduler),
                        downstream: SentSink(stock: stock, downstream: GateSink(core)))))
        }
    }
}

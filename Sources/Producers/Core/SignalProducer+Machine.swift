extension SignalProducer {
    /// Applies a state machine whose source is this producer. There is no signal in between.
    ///
    /// - Parameters:
    ///   - name: The operator as printed in the name of the result.
    ///   - argument: The operator's number, or its duration in nanoseconds.
    ///   - other: The machine's other stream.
    ///   - startsOtherFirst: Whether its work begins before this producer's. The order is observable if the work is
    ///     synchronous.
    ///   - passesSuspension: Whether what suspends the result suspends this producer. The other one is not suspended.
    ///   - make: Creates the machine. Called once per start.
    @_alwaysEmitIntoClient
    package func machine<Machine: StateMachine>(
        _ name: StaticString, argument: Int = 0, _ other: SignalProducer<Machine.Other, Machine.OtherFailure>,
        startsOtherFirst: Bool = true, passesSuspension: Bool = false,
        make: @escaping @Sendable (Core<Machine.Value, Machine.Failure>) -> Machine
    ) -> SignalProducer<Machine.Value, Machine.Failure> where Machine.Source == Value, Machine.Failure == Failure {
        joined(
            name, argument: argument, other, startsOtherFirst: startsOtherFirst, passesSuspension: passesSuspension
        ) { core, source, other in
            let machine = make(core)
            core.state = machine
            machine.sourceObservation?.inner = AnyDisposable { source.cutOff() }
            machine.otherObservation?.inner = AnyDisposable { other.cutOff() }
            return (SourceInput(machine), OtherInput(machine), machine.users)
        }
    }

    /// Applies an operator with two inputs.
    ///
    /// - Parameter makeInputs: Returns what receives this producer and the other one, and what needs them, if that can
    ///   outlive the result. Also receives their starts.
    @_alwaysEmitIntoClient
    func joined<NewValue, NewFailure, Other, OtherFailure, Input: Sink, OtherInput: Sink>(
        _ name: StaticString, argument: Int = 0, _ other: SignalProducer<Other, OtherFailure>,
        startsOtherFirst: Bool = true, passesSuspension: Bool = false,
        makeInputs:
            @escaping @Sendable (_ core: Core<NewValue, NewFailure>, _ source: Start, _ other: Start) ->
            (Input, OtherInput, SourceUsers?)
    ) -> SignalProducer<NewValue, NewFailure>
    where
        Input.Value == Value, Input.Failure == Failure, OtherInput.Value == Other, OtherInput.Failure == OtherFailure
    {
        let name = derivedName(name, argument)
        let contention = contention.joined(with: other.contention)
        let isSuspendable = passesSuspension && isSuspendable
        return SignalProducer<NewValue, NewFailure>(name, contention: contention, isSuspendable: isSuspendable) {
            start, downstream in
            let core = Core.result(named: name, contention: contention, into: downstream)
            let (source, argument) = (Start(sourceOf: start), Start(sourceOf: start))
            if isSuspendable { source.senders = start.senders }
            let (input, otherInput, users) = makeInputs(core, source, argument)
            start.attach(core, users: users)
            if startsOtherFirst { other.beginSeparately(argument, into: otherInput) }
            beginSeparately(source, into: input)
            if !startsOtherFirst { other.beginSeparately(argument, into: otherInput) }
        }
    }
}

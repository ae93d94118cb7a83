extension SignalProducer {
    /// Applies a state machine that has this producer and another one as its inputs. There is no signal in between.
    ///
    /// - Parameters:
    ///   - name: The operator as printed in the name of the result.
    ///   - argument: The operator's number, or its duration in nanoseconds.
    ///   - startsArgumentFirst: Whether the other producer's work begins first. The order is observable if the work is
    ///     synchronous.
    ///   - passesSuspension: Whether what suspends the result suspends this producer. The other one is not suspended.
    ///   - make: Creates the machine. Called once per start.
    ///   - connect: Returns the machine's inputs for the two producers. Also receives the subscriptions of this
    ///     producer and of the other one, for a machine that is done with one of them before the result ends.
    @_alwaysEmitIntoClient
    package func machine<Machine: StateMachine, Other, OtherFailure>(
        _ name: StaticString, argument: Int = 0, _ other: SignalProducer<Other, OtherFailure>,
        startsArgumentFirst: Bool = true, passesSuspension: Bool = false,
        make: @escaping @Sendable (Core<Machine.Value, Machine.Failure>) -> Machine,
        connect:
            @escaping @Sendable (_ machine: Machine, _ source: Subscription, _ other: Subscription) ->
            (MachineInput<Machine, Value, Failure>, MachineInput<Machine, Other, OtherFailure>)
    ) -> SignalProducer<Machine.Value, Machine.Failure> {
        let name = derivedName(name, argument)
        let contention = contention.joined(with: other.contention)
        let isSuspendable = passesSuspension && isSuspendable
        return SignalProducer<Machine.Value, Machine.Failure>(
            name, contention: contention, isSuspendable: isSuspendable
        ) { subscription, downstream in
            let core = Core<Machine.Value, Machine.Failure>(rootNamed: name, contention: contention)
            core.adopt(downstream)
            let machine = make(core)
            core.state = machine
            let (source, argument) = (Subscription(sourceOf: subscription), Subscription(sourceOf: subscription))
            if isSuspendable { source.senders = subscription.senders }
            let inputs = connect(machine, source, argument)
            subscription.attach(core, users: machine.users)
            if startsArgumentFirst { other.beginSeparately(argument, into: inputs.1) }
            beginSeparately(source, into: inputs.0)
            if !startsArgumentFirst { other.beginSeparately(argument, into: inputs.1) }
        }
    }
}

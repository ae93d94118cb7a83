extension SignalProducer {
    /// Applies a state machine that has this producer and another one as its inputs. There is no signal in between.
    ///
    /// - Parameters:
    ///   - name: The operator as printed in the name of the result.
    ///   - argument: The operator's number, or its duration in nanoseconds.
    ///   - startsArgumentFirst: Whether the other producer's work begins first. The order is observable if the work is
    ///     synchronous.
    ///   - make: Creates the machine. Called once per start.
    ///   - connect: Returns the machine's inputs for the two producers. Also receives the runs of this producer and of
    ///     the other one, for a machine that is done with one of them before the result ends.
    @inlinable
    func machine<Machine: StateMachine, Other, OtherFailure>(
        _ name: StaticString, argument: Int = 0, _ other: SignalProducer<Other, OtherFailure>,
        startsArgumentFirst: Bool = true,
        make: @escaping @Sendable (Core<Machine.Value, Machine.Failure>) -> Machine,
        connect:
            @escaping @Sendable (_ machine: Machine, _ source: Run, _ other: Run) ->
            (MachineInput<Machine, Value, Failure>, MachineInput<Machine, Other, OtherFailure>)
    ) -> SignalProducer<Machine.Value, Machine.Failure> {
        let name = derivedName(name, argument)
        let contention = contention.joined(with: other.contention)
        return SignalProducer<Machine.Value, Machine.Failure>(name, contention: contention) { run, downstream in
            let core = Core<Machine.Value, Machine.Failure>(rootNamed: name, contention: contention)
            core.adopt(downstream)
            let machine = make(core)
            core.makeLifetime().observeEnded { machine.clear() }
            let runs = (Run(within: LibraryTask.captured), Run(within: LibraryTask.captured))
            let inputs = connect(machine, runs.0, runs.1)
            LiftedStart(core, run, [runs.0, runs.1], .synchronous).begin {
                if startsArgumentFirst { other.begin(runs.1, inputs.1) }
                begin(runs.0, inputs.0)
                if !startsArgumentFirst { other.begin(runs.1, inputs.1) }
            }
        }
    }

    /// Begins the work of a run, and sends its events to `input`. If the run is already over, no work begins, and
    /// `input` receives `interrupted` unless the run has already been ended.
    @inlinable @inline(__always)
    func begin(_ run: Run, _ input: some Sink<Value, Failure>) {
        let end = ChainEnd(run) { input.receive($0) }
        if run.isOver { end.end(.interrupted) } else { begin(run, end.erased) }
    }
}

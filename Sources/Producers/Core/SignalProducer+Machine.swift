extension SignalProducer {
    /// The result of a state machine with this producer and another one as its inputs. No signal lies between.
    ///
    /// - Parameters:
    ///   - name: The operator as it is printed.
    ///   - startsArgumentFirst: Whose work begins first. It can be observed where the work is synchronous.
    ///   - make: Makes the machine. Called once a start.
    ///   - connect: Returns what the machine takes of each input. The runs are those of this producer and of the other one, for a machine
    ///     that has enough of one before the result ends.
    @inlinable
    func machine<Machine: StateMachine, Other, OtherFailure>(
        _ name: StaticString, _ other: SignalProducer<Other, OtherFailure>, startsArgumentFirst: Bool = true,
        make: @escaping @Sendable (Core<Machine.Value, Machine.Failure>) -> Machine,
        connect:
            @escaping @Sendable (_ machine: Machine, _ source: Run, _ other: Run) ->
            (MachineInput<Machine, Value, Failure>, MachineInput<Machine, Other, OtherFailure>)
    ) -> SignalProducer<Machine.Value, Machine.Failure> {
        let name = derivedName(name)
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

    /// Begins the work of a run whose events `input` takes, unless that is over already: then it is interrupted, if nothing has ended it.
    @inlinable @inline(__always)
    func begin(_ run: Run, _ input: some Sink<Value, Failure>) {
        let end = ChainEnd(run) { input.receive($0) }
        if run.isOver { end.end(.interrupted) } else { begin(run, end.erased) }
    }
}

extension Signal {
    /// Sends values until a trigger fires, then completes.
    ///
    /// ```marbles
    /// source                         --1--2--3--4--|
    /// trigger                        -------x
    /// source.take(until: trigger)    --1--2-|
    /// ```
    ///
    /// The trigger fires with its first value or with its completion. A trigger that is interrupted, or has already
    /// ended, never fires. Terminal events of the source are forwarded.
    ///
    /// - Parameter trigger: Observed before this signal.
    @_alwaysEmitIntoClient
    public func take<Trigger>(until trigger: Signal<Trigger, Never>) -> Signal {
        machine("take(until:)", others: [trigger.core]) {
            TakeUntilMachine(core: $0)
        } connect: { machine, lifetime in
            lifetime += trigger.observe(through: machine.triggerInput())
            lifetime += observe(through: machine.sourceInput)
        }
    }
}

@usableFromInline
@_fixed_layout
package final class TakeUntilMachine<Value: Sendable, Failure: Error>: StateMachine {
    @frozen @usableFromInline
    package enum Input: Sendable {
        case value(Value)
        case end(Termination<Failure>)
        case trigger
    }

    @usableFromInline package let core: Core<Value, Failure>

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var sourceInput: MachineInput<TakeUntilMachine, Value, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { .end($0) })
    }

    @_alwaysEmitIntoClient
    package func triggerInput<Trigger>() -> MachineInput<TakeUntilMachine, Trigger, Never> {
        MachineInput(self, value: { _ in .trigger }, termination: { $0.isCompletion ? .trigger : nil })
    }

    @_alwaysEmitIntoClient
    package func handle(_ input: Input) {
        switch input {
        case .value(let value): core.deliver(value)
        case .end(let termination): core.deliverEnd(termination)
        case .trigger: core.deliverEnd(.completed)
        }
    }

    @_alwaysEmitIntoClient
    package func clear() {}
}

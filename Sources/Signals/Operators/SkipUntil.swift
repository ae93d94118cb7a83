extension Signal {
    /// Drops values until a trigger fires, and sends all later ones.
    ///
    /// ```marbles
    /// source                         --1--2--3--4--|
    /// trigger                        -------x
    /// source.skip(until: trigger)    --------3--4--|
    /// ```
    ///
    /// The trigger fires with its first value or with its completion. A trigger that is interrupted, or has already
    /// ended, never fires, so no value is sent. Terminal events of the source are always forwarded.
    ///
    /// - Parameter trigger: Observed before this signal.
    @_alwaysEmitIntoClient
    public func skip<Trigger>(until trigger: Signal<Trigger, Never>) -> Signal {
        machine("skip(until:)", others: [trigger.core]) {
            SkipUntilMachine(core: $0)
        } connect: { machine, lifetime in
            machine.trigger.inner = trigger.observe(through: machine.triggerInput())
            lifetime += machine.trigger
            lifetime += observe(through: machine.sourceInput)
        }
    }
}

@usableFromInline
@_fixed_layout
package final class SkipUntilMachine<Value: Sendable, Failure: Error>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses `isOpen`.
    @frozen @usableFromInline
    package enum Input: Sendable {
        case value(Value)
        case end(Termination<Failure>)
        case trigger
    }

    @usableFromInline package let core: Core<Value, Failure>
    /// The observation of the trigger.
    @usableFromInline package let trigger = SerialDisposable()
    @exclusivity(unchecked) @usableFromInline var isOpen = false

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var sourceInput: MachineInput<SkipUntilMachine, Value, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { .end($0) })
    }

    @_alwaysEmitIntoClient
    package func triggerInput<Trigger>() -> MachineInput<SkipUntilMachine, Trigger, Never> {
        MachineInput(self, value: { _ in .trigger }, termination: { $0.isCompletion ? .trigger : nil })
    }

    @_alwaysEmitIntoClient
    package func handle(_ input: Input) {
        switch input {
        case .value(let value):
            if isOpen { core.deliver(value) }
        case .end(let termination):
            core.deliverEnd(termination)
        case .trigger:
            isOpen = true
            trigger.dispose()
        }
    }

    @_alwaysEmitIntoClient
    package func clear() {}
}

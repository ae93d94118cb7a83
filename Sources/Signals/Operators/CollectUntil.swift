extension Signal {
    /// Sends the values that have arrived as an array, each time a trigger sends. The number of collected values has no
    /// bound.
    ///
    /// Like ``collect(every:on:skipEmpty:discardWhenCompleted:)``, but paced by another signal.
    ///
    /// ```marbles
    /// source                            --1--2-----------3--|
    /// trigger                           -------x-----x-------
    /// source.collect(until: trigger)    -------[1,2]-[]-----[3]|
    /// ```
    ///
    /// Sends `[]` if no value has arrived since the trigger sent last. On completion, sends the remaining values if
    /// there are any. An error or an interruption discards them. If the trigger ends, in any way, all further values
    /// are collected until the source completes.
    ///
    /// - Parameter trigger: Observed before this signal. Its values are ignored.
    @_alwaysEmitIntoClient
    public func collect<Trigger>(until trigger: Signal<Trigger, Never>) -> Signal<[Value], Failure> {
        machine("collect(until:)", others: [trigger.core]) {
            CollectUntilMachine(core: $0)
        } connect: { machine, lifetime in
            lifetime += trigger.observe(through: machine.triggerInput())
            lifetime += observe(through: machine.sourceInput)
        }
    }
}

@usableFromInline
@_fixed_layout
package final class CollectUntilMachine<Element: Sendable, Failure: Error>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses the variable.
    @frozen @usableFromInline
    package enum Input: Sendable {
        case value(Element)
        case end(Termination<Failure>)
        case trigger
    }

    @usableFromInline package let core: Core<[Element], Failure>
    @exclusivity(unchecked) @usableFromInline var values: [Element] = []

    @_alwaysEmitIntoClient
    package init(core: Core<[Element], Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var sourceInput: MachineInput<CollectUntilMachine, Element, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { .end($0) })
    }

    @_alwaysEmitIntoClient
    package func triggerInput<Trigger>() -> MachineInput<CollectUntilMachine, Trigger, Never> {
        MachineInput(self, value: { _ in .trigger }, termination: { _ in nil })
    }

    @_alwaysEmitIntoClient
    package func handle(_ input: Input) {
        switch input {
        case .value(let value): values.append(value)
        case .trigger: core.deliver(takeValues())
        case .end(let termination):
            let rest = takeValues()
            if termination.isCompletion, !rest.isEmpty { core.deliver(rest) }
            core.deliverEnd(termination)
        }
    }

    @_alwaysEmitIntoClient
    func takeValues() -> [Element] {
        defer { values = [] }
        return values
    }

    @_alwaysEmitIntoClient
    package func clear() {
        let dropped = takeValues()
        withExtendedLifetime(dropped) {}
    }
}

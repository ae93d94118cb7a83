extension Signal {
    /// Sends this signal's values until a replacement sends its first event, and then the replacement's events.
    ///
    /// ```marbles
    /// source                                        --1--2--3--4--|
    /// replacement                                   -------8-----9----|
    /// source.take(untilReplacement: replacement)    --1--2-8-----9----|
    /// ```
    ///
    /// Until then, errors and interruptions of this signal are forwarded. Its completion is not: the result does not
    /// complete without an event from the replacement.
    ///
    /// - Parameter replacement: Observed before this signal.
    @_alwaysEmitIntoClient
    public func take(untilReplacement replacement: Signal) -> Signal {
        machine("take(untilReplacement:)", others: [replacement.core]) {
            TakeUntilReplacementMachine(core: $0)
        } connect: { machine, lifetime in
            lifetime += replacement.observe(through: machine.replacementInput)
            machine.source.inner = observe(through: machine.sourceInput)
            lifetime += machine.source
        }
    }
}

@usableFromInline
@_fixed_layout
package final class TakeUntilReplacementMachine<Value: Sendable, Failure: Error>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses `isReplaced`.
    @frozen @usableFromInline
    package enum Input: Sendable {
        case value(Value)
        case end(Termination<Failure>)
        case replacement(Event<Value, Failure>)
    }

    @usableFromInline package let core: Core<Value, Failure>
    /// The observation of the signal that is replaced.
    @usableFromInline package let source = SerialDisposable()
    @exclusivity(unchecked) @usableFromInline var isReplaced = false

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var sourceInput: MachineInput<TakeUntilReplacementMachine, Value, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { $0.isCompletion ? nil : .end($0) })
    }

    @_alwaysEmitIntoClient
    package var replacementInput: MachineInput<TakeUntilReplacementMachine, Value, Failure> {
        MachineInput(self, value: { .replacement(.next($0)) }, termination: { .replacement($0.event()) })
    }

    @_alwaysEmitIntoClient
    package func handle(_ input: Input) {
        switch input {
        case .value(let value):
            if !isReplaced { core.deliver(value) }
        case .end(let termination):
            if !isReplaced { core.deliverEnd(termination) }
        case .replacement(let event):
            if !isReplaced {
                isReplaced = true
                source.dispose()
            }
            core.deliver(event)
        }
    }

    @_alwaysEmitIntoClient
    package func clear() {}
}

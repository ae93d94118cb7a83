extension Signal {
    /// Sends each value together with the latest value of another signal.
    ///
    /// Like ``combineLatest(with:)``, but only values of this signal cause a value to be sent.
    ///
    /// ```marbles
    /// source                            --1-----2-----3-----|
    /// other                             ----a-----------b-----
    /// source.withLatest(from: other)    --------(2,a)-(3,a)-|
    /// ```
    ///
    /// Values that arrive before the other signal has sent one are dropped. How the other signal ends does not matter:
    /// its latest value remains in use. Ends with this signal. Buffers one value.
    ///
    /// - Parameter other: Observed before this signal.
    @_alwaysEmitIntoClient
    public func withLatest<Other>(from other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        machine("withLatest(from:)", others: [other.core]) {
            WithLatestMachine(core: $0)
        } connect: { machine, lifetime in
            lifetime += other.observe(through: machine.otherInput)
            lifetime += observe(through: machine.sourceInput)
        }
    }
}

@usableFromInline
@_fixed_layout
package final class WithLatestMachine<Main: Sendable, Other: Sendable, Failure: Error>: StateMachine,
    @unchecked Sendable
{
    // Sendable: only the owner of the core's gate accesses `latest`.
    @frozen @usableFromInline
    package enum Input: Sendable {
        case value(Main)
        case latest(Other)
        case end(Termination<Failure>)
    }

    @usableFromInline package let core: Core<(Main, Other), Failure>
    @exclusivity(unchecked) @usableFromInline var latest: Other?

    @_alwaysEmitIntoClient
    package init(core: Core<(Main, Other), Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var sourceInput: MachineInput<WithLatestMachine, Main, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { .end($0) })
    }

    @_alwaysEmitIntoClient
    package var otherInput: MachineInput<WithLatestMachine, Other, Never> {
        MachineInput(self, value: { .latest($0) }, termination: { _ in nil })
    }

    @_alwaysEmitIntoClient
    package func handle(_ input: Input) {
        switch input {
        case .value(let value):
            if let latest { core.deliver((value, latest)) }
        // The former value may end the result when it is released.
        case .latest(let value): _ = exchange(&latest, with: value)
        case .end(let termination): core.deliverEnd(termination)
        }
    }

    @_alwaysEmitIntoClient
    package func clear() { latest = nil }
}

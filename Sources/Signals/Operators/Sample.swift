extension Signal {
    /// Sends the latest value whenever a sampler sends.
    ///
    /// Like ``withLatest(from:)`` with the roles exchanged: the other signal sets the pace.
    ///
    /// ```marbles
    /// source                        --1-----2-----3--|
    /// sampler                       ----x-x---x--------|
    /// source.sample(on: sampler)    ----1-1---2--------|
    /// ```
    ///
    /// Sends nothing before this signal has sent a value, and can send the same value again. Completes when both
    /// signals have completed, is interrupted when one of them is, and fails when this signal fails. Buffers one value.
    ///
    /// - Parameter sampler: Sets the pace. Its values are ignored.
    @_alwaysEmitIntoClient
    public func sample<Tick>(on sampler: Signal<Tick, Never>) -> Signal {
        sample("sample(on:)", sampler) { value, _ in value }
    }

    /// Sends the latest value together with the sampler's value whenever the sampler sends.
    ///
    /// Like ``sample(on:)``, but for a sampler whose values matter.
    ///
    /// ```marbles
    /// source                          --1-----------2-----3--|
    /// sampler                         ----a-----b-----c--------|
    /// source.sample(with: sampler)    ----(1,a)-(1,b)-(2,c)----|
    /// ```
    ///
    /// - Parameter sampler: Sets the pace.
    @_alwaysEmitIntoClient
    public func sample<Tick>(with sampler: Signal<Tick, Never>) -> Signal<(Value, Tick), Failure> {
        sample("sample(with:)", sampler) { ($0, $1) }
    }

    @_alwaysEmitIntoClient
    func sample<Tick, Output>(
        _ name: StaticString, _ sampler: Signal<Tick, Never>,
        combine: @escaping @Sendable (Value, Tick) -> Output
    ) -> Signal<Output, Failure> {
        machine(name, others: [sampler.core]) {
            SampleMachine(core: $0, combine: combine)
        } connect: { machine, lifetime in
            lifetime += observe(through: machine.sourceInput)
            lifetime += sampler.observe(through: machine.tickInput)
        }
    }
}

@usableFromInline
@_fixed_layout
package final class SampleMachine<Sampled: Sendable, Tick: Sendable, Value: Sendable, Failure: Error>: StateMachine,
    @unchecked Sendable
{
    // Sendable: only the owner of the core's gate accesses the variables.
    @frozen @usableFromInline
    package enum Input: Sendable {
        case value(Sampled)
        case tick(Tick)
        /// The terminal event of either input.
        case end(Termination<Failure>)
    }

    @usableFromInline package let core: Core<Value, Failure>
    @usableFromInline let combine: @Sendable (Sampled, Tick) -> Value
    @exclusivity(unchecked) @usableFromInline var latest: Sampled?
    @exclusivity(unchecked) @usableFromInline var hasOneCompleted = false

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>, combine: @escaping @Sendable (Sampled, Tick) -> Value) {
        self.core = core
        self.combine = combine
    }

    @_alwaysEmitIntoClient
    package var sourceInput: MachineInput<SampleMachine, Sampled, Failure> {
        MachineInput(self, value: { .value($0) }, termination: { .end($0) })
    }

    @_alwaysEmitIntoClient
    package var tickInput: MachineInput<SampleMachine, Tick, Never> {
        MachineInput(self, value: { .tick($0) }, termination: { .end($0.promoted()) })
    }

    @_alwaysEmitIntoClient
    package func handle(_ input: Input) {
        switch input {
        // The former value may end the result when it is released.
        case .value(let value): _ = exchange(&latest, with: value)
        case .tick(let tick):
            if let latest { core.deliver(combine(latest, tick)) }
        case .end(.completed):
            if hasOneCompleted { core.deliverEnd(.completed) }
            hasOneCompleted = true
        case .end(let termination): core.deliverEnd(termination)
        }
    }

    @_alwaysEmitIntoClient
    package func clear() { latest = nil }
}

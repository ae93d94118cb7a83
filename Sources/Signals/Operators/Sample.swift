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
        machine(name, sampler, observesOtherFirst: false) { SampleMachine(core: $0, combine: combine) }
    }
}

@usableFromInline
@_fixed_layout
package final class SampleMachine<Source: Sendable, Other: Sendable, Value: Sendable, Failure: Error>: StateMachine,
    @unchecked Sendable
{
    // Sendable: only the owner of the core's gate accesses the variables.
    @usableFromInline package let core: Core<Value, Failure>
    @usableFromInline let combine: @Sendable (Source, Other) -> Value
    @exclusivity(unchecked) @usableFromInline var latest: Source?
    @exclusivity(unchecked) @usableFromInline var hasOneCompleted = false

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>, combine: @escaping @Sendable (Source, Other) -> Value) {
        self.core = core
        self.combine = combine
    }

    @_alwaysEmitIntoClient
    package func receive(_ value: Source) {
        // The former value may end the result when it is released.
        _ = exchange(&latest, with: value)
    }

    @_alwaysEmitIntoClient
    package func receiveOther(_ value: Other) { if let latest { core.deliver(combine(latest, value)) } }

    /// The terminal event of either input.
    @_alwaysEmitIntoClient
    package func receiveEnd(_ termination: Termination<Failure>) {
        if !termination.isCompletion || hasOneCompleted { core.deliverEnd(termination) }
        hasOneCompleted = true
    }

    @_alwaysEmitIntoClient
    package func receiveOtherEnd(_ termination: Termination<Never>) { receiveEnd(termination.promoted()) }

    @_alwaysEmitIntoClient
    package func wantsOtherEnd(_ termination: Termination<Never>) -> Bool { true }

    @_alwaysEmitIntoClient
    package func clear() { latest = nil }
}

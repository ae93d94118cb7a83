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
        machine("withLatest(from:)", other) { WithLatestMachine(core: $0) }
    }
}

@usableFromInline
@_fixed_layout
package final class WithLatestMachine<Source: Sendable, Other: Sendable, Failure: Error>: StateMachine,
    @unchecked Sendable
{
    // Sendable: only the owner of the core's gate accesses `latest`.
    @usableFromInline package let core: Core<(Source, Other), Failure>
    @exclusivity(unchecked) @usableFromInline var latest: Other?

    @_alwaysEmitIntoClient
    package init(core: Core<(Source, Other), Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package func receive(_ value: Source) { if let latest { core.deliver((value, latest)) } }

    @_alwaysEmitIntoClient
    package func receiveOther(_ value: Other) {
        // The former value may end the result when it is released.
        _ = exchange(&latest, with: value)
    }

    @_alwaysEmitIntoClient
    package func clear() { latest = nil }
}

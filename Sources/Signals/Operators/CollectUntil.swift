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
        machine("collect(until:)", trigger) { CollectUntilMachine(core: $0) }
    }
}

@usableFromInline
@_fixed_layout
package final class CollectUntilMachine<Source: Sendable, Failure: Error, Other: Sendable>: StateMachine,
    @unchecked Sendable
{
    // Sendable: only the owner of the core's gate accesses the variable.
    @usableFromInline package let core: Core<[Source], Failure>
    @exclusivity(unchecked) @usableFromInline var values: [Source] = []

    @_alwaysEmitIntoClient
    package init(core: Core<[Source], Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package func receive(_ value: Source) { values.append(value) }

    @_alwaysEmitIntoClient
    package func receiveEnd(_ termination: Termination<Failure>) {
        let rest = takeValues()
        if termination.isCompletion, !rest.isEmpty { core.deliver(rest) }
        core.deliverEnd(termination)
    }

    @_alwaysEmitIntoClient
    package func receiveOther(_ value: Other) { core.deliver(takeValues()) }

    @_alwaysEmitIntoClient
    func takeValues() -> [Source] {
        defer { values = [] }
        return values
    }

    @_alwaysEmitIntoClient
    package func clear() {
        let dropped = takeValues()
        withExtendedLifetime(dropped) {}
    }
}

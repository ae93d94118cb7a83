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
        machine("skip(until:)", trigger) { SkipUntilMachine(core: $0) }
    }
}

@usableFromInline
@_fixed_layout
package final class SkipUntilMachine<Value: Sendable, Failure: Error, Other: Sendable>: StateMachine,
    @unchecked Sendable
{
    // Sendable: only the owner of the core's gate accesses `isOpen`.
    @usableFromInline package let core: Core<Value, Failure>
    @usableFromInline let trigger = SerialDisposable()
    @exclusivity(unchecked) @usableFromInline var isOpen = false

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var otherObservation: SerialDisposable? { trigger }

    @_alwaysEmitIntoClient
    package func receive(_ value: Value) { if isOpen { core.deliver(value) } }

    @_alwaysEmitIntoClient
    package func receiveOther(_ value: Other) { open() }

    @_alwaysEmitIntoClient
    package func receiveOtherEnd(_ termination: Termination<Never>) { open() }

    @_alwaysEmitIntoClient
    package func wantsOtherEnd(_ termination: Termination<Never>) -> Bool { termination.isCompletion }

    @_alwaysEmitIntoClient
    func open() {
        isOpen = true
        trigger.dispose()
    }
}

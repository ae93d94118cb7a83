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
        machine("take(until:)", trigger) { TakeUntilMachine(core: $0) }
    }
}

@usableFromInline
@_fixed_layout
package final class TakeUntilMachine<Value: Sendable, Failure: Error, Other: Sendable>: StateMachine {
    @usableFromInline package let core: Core<Value, Failure>

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package func receive(_ value: Value) { core.deliver(value) }

    @_alwaysEmitIntoClient
    package func receiveOther(_ value: Other) { core.deliverEnd(.completed) }

    @_alwaysEmitIntoClient
    package func receiveOtherEnd(_ termination: Termination<Never>) { core.deliverEnd(.completed) }

    @_alwaysEmitIntoClient
    package func wantsOtherEnd(_ termination: Termination<Never>) -> Bool { termination.isCompletion }
}

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
        machine("take(untilReplacement:)", replacement) { TakeUntilReplacementMachine(core: $0) }
    }
}

@usableFromInline
@_fixed_layout
package final class TakeUntilReplacementMachine<Value: Sendable, Failure: Error>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses `isReplaced`.
    @usableFromInline package let core: Core<Value, Failure>
    @usableFromInline let replaced = SerialDisposable()
    @exclusivity(unchecked) @usableFromInline var isReplaced = false

    @_alwaysEmitIntoClient
    package init(core: Core<Value, Failure>) { self.core = core }

    @_alwaysEmitIntoClient
    package var sourceObservation: SerialDisposable? { replaced }

    @_alwaysEmitIntoClient
    package func receive(_ value: Value) { if !isReplaced { core.deliver(value) } }

    @_alwaysEmitIntoClient
    package func receiveEnd(_ termination: Termination<Failure>) { if !isReplaced { core.deliverEnd(termination) } }

    @_alwaysEmitIntoClient
    package static func wantsEnd(_ termination: Termination<Failure>) -> Bool { !termination.isCompletion }

    @_alwaysEmitIntoClient
    package func receiveOther(_ value: Value) {
        replace()
        core.deliver(value)
    }

    @_alwaysEmitIntoClient
    package func receiveOtherEnd(_ termination: Termination<Failure>) {
        replace()
        core.deliverEnd(termination)
    }

    @_alwaysEmitIntoClient
    package func wantsOtherEnd(_ termination: Termination<Failure>) -> Bool { true }

    @_alwaysEmitIntoClient
    func replace() {
        guard !isReplaced else { return }
        isReplaced = true
        replaced.dispose()
    }
}

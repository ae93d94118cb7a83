import HotSignals

/// The validation of a property that has its own value. The result is derived from the proposal, and the value from the
/// result.
final class OwnValidation<Value: Sendable>: Validation {
    /// The last proposed value.
    let proposal: RootNode<Value>

    var lifetime: Lifetime { proposal.lifetime }

    init(_ initial: Value) {
        proposal = RootNode(initial, name: StreamName("proposal"))
    }

    func propose(_ value: Value) { proposal.set(value) }

    func modify<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        PureSection.refuseSet(of: proposal, ThreadIdentity.current)
        return try access(accepted, isProposing: true, body)
    }

    func withValue<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        // Must not wait for other threads there.
        if PureSection.isCurrent { return try proposal.withValue { _ throws(BodyFailure) in try body(accepted.known) } }
        return try access(accepted, isProposing: false) { value throws(BodyFailure) in try body(value) }
    }

    /// Runs `body` with the accepted value. That changes with the proposal, or when a change of what the validator
    /// depends on makes the proposal valid. So the caller owns the domain of the value as well, which is another one if
    /// the validator depends on a property.
    private func access<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, isProposing: Bool, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let thread = ThreadIdentity.current
        var entered = EnteredDomains()
        entered.enter([proposal.domain, accepted.domain], thread)
        _ = proposal.beginBody(mayBeInPlace: false)
        var value = accepted.known
        let (outcome, afterwards) = proposal.access(thread, &value, body)
        proposal.endBody()
        let send = isProposing ? proposal.propagate(with: { value }, thread).send : {}
        entered.leave(thread)
        send()
        afterwards?.perform()
        return try outcome.get()
    }

    func end() { proposal.end() }
}

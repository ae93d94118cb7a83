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

    // The value changes only with the proposal, or when a change of what the validator depends on makes it valid.

    func modify<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        try proposal.modify { proposed throws(BodyFailure) in
            var value = accepted.known
            defer { proposed = value }
            return try body(&value)
        }
    }

    func withValue<Result, BodyFailure: Error>(
        _ accepted: ValueNode<Value>, _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        try proposal.withValue { _ throws(BodyFailure) in try body(accepted.known) }
    }

    func end() { proposal.end() }
}

import HotSignals

/// The validation of a property that has its own value. The result is derived from the proposal, and the value from the
/// result.
final class OwnValidation<Value: Sendable>: Validation {
    /// The last proposed value.
    let proposal: RootNode<Value>
    let lifetime: Lifetime

    init(_ initial: Value) {
        proposal = RootNode(initial, name: StreamName("proposal"))
        lifetime = proposal.core.makeLifetime()
    }

    func propose(_ value: Value) { proposal.set(value) }

    func end() { proposal.end() }
}

import HotSignals

/// The validation of a property that has a value of its own: the result is derived from what is proposed, and the value from the
/// result.
final class OwnValidation<Value: Sendable>: Validation {
    /// What was proposed last.
    let proposal: RootNode<Value>
    let lifetime: Lifetime

    init(_ initial: Value) {
        proposal = RootNode(initial, name: StreamName("proposal"))
        lifetime = proposal.core.makeLifetime()
    }

    func propose(_ value: Value) { proposal.set(value) }

    func end() { proposal.end() }
}

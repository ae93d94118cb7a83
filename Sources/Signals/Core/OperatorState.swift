/// The state of an operator on which others than one source act. The gate of its result guards it, and the core of its
/// result clears it at the end: see ``SignalCore/state``.
@usableFromInline
package protocol OperatorState: AnyObject, Sendable {
    /// Only for the owner of the gate. Releases what the operator has stored.
    func clear()
}

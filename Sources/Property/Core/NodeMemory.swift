/// What a node remembers besides its value: the values that `uniqueValues` has seen, the changes that `zip` has queued.
///
/// A turn changes it while it computes the node. If the turn gives up, the change is undone.
@usableFromInline
@_fixed_layout
package class NodeMemory: @unchecked Sendable {
    // Sendable: only the turn that owns the gate of the node's domain uses it.

    /// Whether the turn in progress has computed the node.
    @exclusivity(unchecked) @usableFromInline final var isStaged = false

    @inlinable
    package init() {}

    /// Undoes what the last computation has changed.
    @usableFromInline
    package func discard() {}

    /// Releases what it holds. The node has ended.
    @usableFromInline
    package func end() {}
}

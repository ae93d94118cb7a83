/// What a node remembers besides its value, such as the values that `uniqueValues` has seen, or the changes that `zip`
/// has queued.
///
/// A propagation changes it while it computes the node, and undoes the change if it begins again.
@usableFromInline
@_fixed_layout
package class NodeMemory: @unchecked Sendable {
    // Sendable: only the propagation that owns the gate of the node's domain accesses it.

    /// Whether the propagation in progress has computed the node.
    @exclusivity(unchecked) @usableFromInline final var isStaged = false

    @_alwaysEmitIntoClient
    package init() {}

    /// Undoes the changes of the last computation, in the section in which that was made.
    @usableFromInline
    package func discard() {}

    /// Releases what it holds, when the node has ended.
    @usableFromInline
    package func end() {}
}

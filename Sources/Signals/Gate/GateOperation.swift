/// Something that a gate's owner has yet to do: an event, an observation to add or remove, a handle that was let go.
///
/// Operations are linked into the gate's inbox without a further allocation, and performed in the order of arrival.
@usableFromInline
@_fixed_layout
package class GateOperation: @unchecked Sendable {
    // Sendable: `next` is written by the thread that pushes, before the push publishes it, and read by the owner.

    /// The operation that was pushed before this one.
    @exclusivity(unchecked) @usableFromInline final var next: Unmanaged<GateOperation>?

    @inlinable
    package init() { next = nil }

    /// Called once a push, by the owner of the gate, with no lock held.
    @usableFromInline
    package func perform() { preconditionFailure("GateOperation is abstract") }
}

/// An operation made of a closure.
@usableFromInline
package final class DeferredWork: GateOperation, @unchecked Sendable {
    // Sendable: the closure is.
    private let work: @Sendable () -> Void

    @usableFromInline
    package init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        super.init()
    }

    @usableFromInline
    package override func perform() { work() }
}

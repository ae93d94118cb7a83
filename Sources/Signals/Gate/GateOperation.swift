/// An action for the owner of a gate to perform: deliver an event, add or remove an observer, release a handle.
///
/// Operations are linked into the gate's inbox without another allocation, and performed in the order of arrival.
@usableFromInline
@_fixed_layout
package class GateOperation: @unchecked Sendable {
    // Sendable: `link` is written by the thread that pushes, before the push publishes it, and later by the owner.

    /// The address of the operation that was pushed before this one. The lowest bits hold ``isPushedByOwner``,
    /// ``isReusable`` and ``isEvent``.
    @exclusivity(unchecked) private final var link: UInt
    private final let owner = Owner(of: "an operation of a gate")

    private static let pushedByOwnerBit: UInt = 1
    private static let reusableBit: UInt = 2
    private static let eventBit: UInt = 4
    private static let bits = pushedByOwnerBit | reusableBit | eventBit

    @usableFromInline
    package init() { link = 0 }

    init(isEvent: Bool) { link = isEvent ? Self.eventBit : 0 }

    /// The operation that was pushed before this one.
    final var next: Unmanaged<GateOperation>? {
        get {
            owner.reads()
            let address = link & ~Self.bits
            return UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
        }
        set {
            owner.writes()
            let address = newValue.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
            link = address | link & Self.bits
        }
    }

    /// Whether the thread that pushed the operation was inside the gate, so that the operation belongs to that thread.
    final var isPushedByOwner: Bool {
        get { link & Self.pushedByOwnerBit != 0 }
        set { link = link & ~Self.pushedByOwnerBit | (newValue ? Self.pushedByOwnerBit : 0) }
    }

    /// Whether the operation is a ``WaitingEvent``. Never changes after `init`.
    final var isEvent: Bool {
        owner.reads()
        return link & Self.eventBit != 0
    }

    /// Whether the gate may keep the operation for another event. Clear while it waits. Only for a ``WaitingEvent``:
    /// another thread may already push an observation again when it has been performed.
    final var isReusable: Bool {
        get {
            owner.reads()
            return link & Self.reusableBit != 0
        }
        set {
            owner.writes()
            link = link & ~Self.reusableBit | (newValue ? Self.reusableBit : 0)
        }
    }

    /// Called once per push, by the thread that pushes, if another thread may perform the operation, or if this thread
    /// may perform it in another context.
    func captureContext() {}

    /// Called by the owner of the gate, if another thread will perform the operation.
    final func leaveToOthers() {
        guard isPushedByOwner else { return }
        isPushedByOwner = false
        captureContext()
    }

    /// Called once per push, by the owner of the gate, with no lock held.
    @usableFromInline
    package func perform() { preconditionFailure("GateOperation is abstract") }
}

/// An operation that calls observers, and therefore runs in the task-local context of the thread that pushed it.
@usableFromInline
@_fixed_layout
package class Delivery: GateOperation, @unchecked Sendable {
    // Sendable: written before the push publishes the operation, and then used by the owner of the gate.
    @exclusivity(unchecked) private final var context: CapturedContext?

    @usableFromInline
    package override init() {
        context = nil
        super.init()
    }

    @usableFromInline
    override init(isEvent: Bool) {
        context = nil
        super.init(isEvent: isEvent)
    }

    override final func captureContext() {
        // If it has been captured before, that was in the context of the send.
        if context == nil { context = CapturedContext() }
    }

    @usableFromInline
    package override final func perform() {
        if let context = context.take() {
            context.run { self.deliver() }
        } else if CapturedContext.isCurrent {
            // This thread pushed the operation in its own context, but performs it while a captured context is in
            // force.
            CapturedContext.runWithout { self.deliver() }
        } else {
            deliver()
        }
    }

    /// Called once per push, by the owner of the gate, with no lock held, in the context of the thread that pushed it.
    @usableFromInline
    package func deliver() { preconditionFailure("Delivery is abstract") }
}

/// A delivery that runs a closure.
@usableFromInline
package final class DeferredWork: Delivery, @unchecked Sendable {
    // Sendable: the closure is.
    private let work: @Sendable () -> Void

    @usableFromInline
    package init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        super.init()
    }

    @usableFromInline
    package override func deliver() { work() }
}

/// An operation that runs a closure in the context of the thread that performs it, because it sends nothing, or only
/// what has a context of its own.
@usableFromInline
package final class DeferredUpkeep: GateOperation, @unchecked Sendable {
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

/// Releases a value when it is performed, so that no lock is held.
///
/// For a value that is replaced under a lock and whose release may deinitialize a user's object. The owner of the gate
/// may perform the operation before the thread that added it has released its lock. So pass the value with `consume`.
/// The operation then holds the only reference, and releases it when performed, even if something else still retains
/// the operation.
@usableFromInline
package final class ReleaseOperation<Value: Sendable>: GateOperation, @unchecked Sendable {
    // Sendable: once the operation has been added, only the owner of the gate accesses `value`.
    @exclusivity(unchecked) private var value: Value?

    @usableFromInline
    package init(_ value: consuming Value) {
        self.value = consume value
        super.init()
    }

    @usableFromInline
    package override func perform() { value = nil }
}

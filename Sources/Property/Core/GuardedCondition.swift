import HotSignals

/// A condition that a thread can act on, so that a change to false returns only when the act is over.
///
/// A node derived from the condition, with a gate that the acting thread owns. A turn that makes the node false while
/// another thread acts adds to that gate's inbox, so that the setter waits as it does for an event that another thread
/// delivers: not if it must not wait, and not where that would close a cycle of threads. The graph itself is free
/// meanwhile.
///
/// # Why nothing slips through
/// The acting thread enters the gate, and then reads the value under the lock of the graph. The turn publishes the
/// value, and then looks at the gate, both under that lock. So either the reader comes second and sees false, or the
/// turn comes second and sees the gate taken.
package final class GuardedCondition: Sendable {
    package enum Outcome: Sendable {
        case done
        /// The condition is false.
        case unmet
        /// Another thread acts, and the caller must not wait.
        case busy
    }

    /// Holds the node.
    private let property: Property<Bool>

    package init(_ condition: Property<Bool>) {
        let input = condition.node
        let (node, signal) = ValueNode<Bool>.derived(
            StreamName("condition"), from: [input], snapshot: { input.value }, initial: { $0 },
            compute: { unsafeDowncast($0, to: ValueNode<Bool>.self).compute { _ in input.current } },
            ending: .with(0), publish: Self.publish)
        property = Property(node, signal, capturing: condition)
    }

    private var gate: Gate { property.node.core.gate }

    /// Calls `body` if the condition is true.
    ///
    /// - Parameter mayWait: Whether to wait for another thread that acts.
    package func act(mayWait: Bool, _ body: () -> Void) -> Outcome {
        let thread = ThreadIdentity.current
        let gate = gate
        let hasEntered = mayWait ? gate.enter(thread) : gate.enterIfFree(thread)
        defer { if hasEntered { gate.leave(thread) } }
        if !hasEntered, !mayWait, !gate.isOwnedByCaller { return .busy }
        // A value that is stale is refreshed by who reads it, which may wait for a turn.
        guard mayWait ? property.node.visibleValue : property.node.committedValue else { return .unmet }
        body()
        return .done
    }

    /// Runs `work` when the thread that acts has finished, on that thread.
    package func afterwards(_ work: @escaping @Sendable () -> Void) { gate.push(DeferredWork(work)) }

    /// Lock and turn: see ``PropertyNode/publish``. There are no observers.
    private static func publish(_ node: PropertyNode, _ thread: UInt) -> PropertyNode.Publication {
        let node = unsafeDowncast(node, to: ValueNode<Bool>.self)
        // An end is an event.
        if node.isEnding { return node.publish(thread) }
        let new = node.next.take() ?? node.value
        node.value = new
        node.version &+= 1
        node.hasNext = false
        let gate = node.core.gate
        if new || !gate.isTaken || gate.isOwnedByCaller { return .silent }
        gate.add(DeferredWork {})
        return .added
    }
}

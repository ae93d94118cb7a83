import HotSignals

/// A condition that a thread can act on. A change to `false` returns only after the act has finished.
///
/// A node counts how often the condition has become false. It is observed, and the acting thread owns the gate of its
/// signal. So a thread that makes the condition false while another thread acts waits as it would for an event that the
/// other thread delivers. It does not wait where that would close a cycle of threads, or where waiting is not allowed.
///
/// # Why nothing slips through
/// The acting thread enters the gate, and then reads the condition under the lock. A propagation publishes the
/// condition and the count, and checks the gate, all under that lock. So either the acting thread comes second and
/// reads `false`, or the propagation comes second and finds the gate taken.
package final class GuardedCondition: Sendable {
    package enum Outcome: Sendable {
        case done
        /// The condition is false.
        case unmet
        /// Another thread acts, and the caller must not wait.
        case busy
    }

    private let condition: Property<Bool>
    private let withdrawals: Property<Int>
    /// The domain that the withdrawals have to themselves, whatever the condition is linked to. A thread that owns it
    /// keeps the condition from changing, because the withdrawals are always linked to the condition.
    package let domain: Domain
    private let observation: (any Disposable)?

    package init(_ condition: Property<Bool>) {
        self.condition = condition
        let input = condition.node
        // The root never changes. It makes the withdrawals head a domain of their own.
        let (node, tether) = ValueNode<Int>.kept(
            .alone("condition"), from: [input, RootNode((), name: StreamName("condition"))], ending: .with(0),
            initial: { 0 },
            next: { input.given(to: $0, nil) ? nil : $0.value.unsafelyUnwrapped &+ 1 })
        withdrawals = Property(node, tether)
        domain = node.domain
        observation = withdrawals.signal.observeNext { _ in }
    }

    deinit { observation?.dispose() }

    /// Whether the condition is true.
    package var isMet: Bool { condition.node.published }

    private var gate: Gate { withdrawals.signal.core.gate }

    /// Calls `body` if the condition is true.
    ///
    /// - Parameter mayWait: Whether to wait for another thread that acts.
    package func act(mayWait: Bool, _ body: () -> Void) -> Outcome {
        let thread = ThreadIdentity.current
        let gate = gate
        let hasEntered = mayWait ? gate.enter(thread) : gate.enterIfFree(thread)
        defer { if hasEntered { gate.leave(thread) } }
        if !hasEntered, !mayWait, !gate.isOwnedByCaller { return .busy }
        guard condition.node.published else { return .unmet }
        body()
        return .done
    }

    /// Runs `work` on the acting thread when that has finished.
    package func afterwards(_ work: @escaping @Sendable () -> Void) { gate.push(DeferredWork(work)) }
}

import HotSignals

extension PropertyNode {
    /// Runs the propagation of what has been staged. Waits for domains. Requires the gate, and leaves it.
    ///
    /// - Parameter mayWait: Whether to wait for observers.
    @usableFromInline
    final func propagate(_ thread: UInt, _ held: consuming HeldLock, mayWait: Bool) {
        var propagation = Propagation(self, thread, held, leaves: true, mayWait: true)
        domain.release(held)
        // Not `_ =`, which would release `nil`.
        if let gate = propagation.take() { withExtendedLifetime(gate) {} }
        propagation.takeEvents().deliver(thread, mayWait: mayWait)
    }

    /// The same, except for sending the events, which must follow when nothing is owned anymore. The caller owns the
    /// gate, and leaves it.
    ///
    /// - Parameter mayWait: Whether to wait for domains. Otherwise returns the gate that was taken if nothing has been
    ///   published. What was staged has then been discarded.
    final func propagateToEvents(
        _ thread: UInt, _ held: consuming HeldLock, mayWait: Bool
    ) -> (taken: DomainGate?, events: Events) {
        var propagation = Propagation(self, thread, held, leaves: false, mayWait: mayWait)
        domain.release(held)
        let taken = propagation.take()
        return (taken, propagation.takeEvents())
    }
}

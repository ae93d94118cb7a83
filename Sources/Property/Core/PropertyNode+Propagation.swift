import HotSignals

extension PropertyNode {
    /// Runs the propagation of what has been staged. Returns the gate that was refused, if any. What was staged has then
    /// been set ahead.
    @usableFromInline
    final func propagate(_ thread: UInt, _ held: consuming HeldLock, leaves: Bool, mayWait: Bool) -> Gate? {
        var propagation = Propagation(self, thread, held, leaves: leaves, mayWait: mayWait)
        domain.release(held)
        if let gate = propagation.take() { return giveWay(to: gate, thread, leaves: leaves) }
        propagation.takeEvents().deliver(thread, mayWait: mayWait)
        return nil
    }

    @inline(never)
    private final func giveWay(to gate: Gate, _ thread: UInt, leaves: Bool) -> Gate {
        let isNew = giveWay(to: gate, keepsNext: true)
        if leaves { domain.gate.leave(thread) }
        // If this is the propagation of a value that was already ahead, the value stays ahead, and the caller handles
        // it.
        if isNew { gate.settle() }
        return gate
    }

    /// Like ``propagate(_:_:leaves:mayWait:)``, except for what must follow when nothing is owned anymore: sending the
    /// events, and settling the gate that was refused. The caller owns the gate, and leaves it.
    final func propagateToEvents(
        _ thread: UInt, _ held: consuming HeldLock, mayWait: Bool
    ) -> (refused: Gate?, events: Events) {
        var propagation = Propagation(self, thread, held, leaves: false, mayWait: mayWait)
        domain.release(held)
        guard let gate = propagation.take() else { return (nil, propagation.takeEvents()) }
        _ = giveWay(to: gate, keepsNext: true)
        return (gate, Events())
    }
}

import HotSignals

extension PropertyNode {
    /// Requires the lock, and releases it. Runs the turn of what has been staged. Returns the gate that was refused, if
    /// any. What was staged has then been set ahead.
    @usableFromInline
    final func takeTurn(_ thread: UInt, leaves: Bool, mayWait: Bool) -> Gate? {
        let (refused, isNew, events) = takeTurnToEvents(thread, leaves: leaves, mayWait: mayWait)
        guard let refused else {
            events.deliver(thread, mayWait: mayWait)
            return nil
        }
        if leaves { domain.gate.leave(thread) }
        // If this is the turn of a value that was already ahead, the value stays ahead, and the caller handles it.
        if isNew { refused.settle() }
        return refused
    }

    /// The same, except for what must follow when nothing is owned anymore: sending the events, and settling the gate
    /// that was refused.
    @inline(__always)
    final func takeTurnToEvents(
        _ thread: UInt, leaves: Bool, mayWait: Bool
    ) -> (refused: Gate?, isNew: Bool, events: Events) {
        while true {
            var turn = Turn(self, thread, leaves: leaves, mayWait: mayWait)
            domain.lock.unlock()
            guard let gate = turn.take() else { return (nil, false, turn.takeEvents()) }
            if turn.hasTakenInNewcomers {
                domain.lock.lock()
            } else {
                return (gate, giveWay(to: gate, keepsNext: true), Events())
            }
        }
    }
}

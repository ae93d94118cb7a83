// What happens when as many inner streams run and wait as may.

extension Flattening {
    /// Tells the source of the outer stream how many inner streams run or wait, if the strategy suspends it.
    @_alwaysEmitIntoClient
    func updateRoom() {
        guard senders != nil else { return }
        let sender = state.withLock { state -> SenderQueue.Sender? in
            let count = state.active + state.queue.count
            return state.room?.update(count)
        }
        sender?.resume(returning: true)
    }

    /// Adds an inner stream although no more streams may wait, unless there is room by now.
    @_alwaysEmitIntoClient @inline(never)
    func addToFull(_ inner: Inner) {
        // The stream that is dropped is released outside the lock.
        let (mustStart, mustFail, dropped) = state.withLock { state -> (Bool, Bool, Inner?) in
            guard !state.hasStopped, !core.terminated.isRaised else { return (false, false, nil) }
            var dropped: Inner?
            if state.active + state.queue.count >= capacity {
                switch overflow.kind {
                case .dropNewest: return (false, false, nil)
                case .fail: return (false, true, nil)
                case .dropOldest:
                    // Without waiting streams, the one that arrives is the oldest.
                    guard capacity > limit, let oldest = state.queue.popFirst() else { return (false, false, nil) }
                    dropped = oldest
                }
            }
            state.queue.append(inner)
            defer { state.isLooping = true }
            return (!state.isLooping, false, dropped)
        }
        withExtendedLifetime(dropped) {}
        if mustFail, let overflowError { core.sendEnd(.error(overflowError)) }
        if mustStart { startWaiting() }
    }
}

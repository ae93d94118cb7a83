// How a strategy suspends the source of the outer stream.

extension Flattening {
    /// Tells the source of the outer stream how many inner streams run or wait, if the strategy suspends it.
    @_alwaysEmitIntoClient
    func updateRoom() {
        guard senders != nil else { return }
        let sender = state.withLock { state -> SenderQueue.Sender? in
            let count = state.active + state.closing + state.queue.count
            return state.room?.update(count)
        }
        sender?.resume(returning: true)
    }
}

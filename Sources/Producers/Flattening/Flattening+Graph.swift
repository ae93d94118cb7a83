package import HotSignals

extension Flattening: GraphMember {
    @usableFromInline package var graphEntry: GraphEntry? {
        let (queued, isStopped) = state.withLock { ($0.queue.count, $0.isStopped) }
        if isStopped || core.terminated.isRaised { return nil }
        return GraphEntry(
            buffer: GraphName("inner streams that wait"), depth: queued, limit: capacity == .max ? nil : capacity,
            parents: [core])
    }
}

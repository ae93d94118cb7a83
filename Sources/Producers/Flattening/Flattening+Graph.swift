package import HotSignals

extension Flattening: GraphMember {
    @usableFromInline
    package func appear(in walk: inout GraphWalk, as record: GraphRecord) {
        let (queued, hasStopped) = state.withLock { ($0.queue.count, $0.hasStopped) }
        if hasStopped || core.terminated.isRaised { return }
        walk.add(self, record, .buffer, GraphName("inner streams that wait"), parents: [core]) {
            $0.buffer = StreamGraph.BufferState(depth: queued, limit: capacity == .max ? nil : capacity)
        }
    }
}

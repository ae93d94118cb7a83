import HotSignals

// Values that are visible before their turns: see ``RootNode``.
extension RootNode {
    /// Makes a value visible whose turn comes when `gate` is left.
    @usableFromInline
    func setAhead(_ new: Value, _ gate: Gate) {
        origin.withLock { _ in addAhead(new, gate) }
        gate.settle()
    }

    /// Lock. As ``setAhead(_:_:)``, but for settling the gate, which is to follow without the lock.
    @usableFromInline
    func addAhead(_ new: Value, _ gate: Gate) {
        insertAhead(new, at: ahead.count, gate)
    }

    /// Lock. As ``addAhead(_:_:)``, but before some that are ahead already.
    @usableFromInline
    func insertAhead(_ new: Value, at place: Int, _ gate: Gate) {
        aheadContexts.insert(CapturedContext(), at: place - (ahead.count - aheadContexts.count))
        ahead.insert(new, at: place)
        // The value brings its context: the operations need not be performed in the order of the values.
        gate.add(DeferredUpkeep { self.catchUp() })
    }

    /// The turn of the first value that was set ahead. By the owner of the gate that was in the way.
    @usableFromInline
    func catchUp() {
        let thread = ThreadIdentity.current
        switch origin.enter(thread, mayWait: false) {
        case .entered(let graph): catchUp(graph, thread, leaves: true)
        case .inside(let graph): catchUp(graph, thread, leaves: false)
        case .busy(let gate): gate.push(DeferredUpkeep { self.catchUp() })
        }
    }

    private func catchUp(_ graph: Graph, _ thread: UInt, leaves: Bool) {
        let context = graph.withOwnLock { isReadyToCatchUp(graph) ? aheadContexts.removeFirst() : nil }
        var isDone = false
        context?.run { isDone = takeAheadTurn(graph, thread, leaves: leaves) }
        guard isDone else {
            if let context { origin.withLock { _ in aheadContexts.insert(context, at: 0) } }
            if leaves { graph.gate.leave(thread) }
            return catchUp()
        }
        if origin.withLock({ _ in ahead.isEmpty && endsAfterwards }) { end() }
    }

    /// Lock.
    private func isReadyToCatchUp(_ graph: Graph) -> Bool { graph.isReady && !isSetting && !ahead.isEmpty }

    /// The turn of the first value that was set ahead, in the context in which it was set. False if it cannot begin.
    private func takeAheadTurn(_ graph: Graph, _ thread: UInt, leaves: Bool) -> Bool {
        let (outcome, new, former) = graph.withOwnLock { () -> (Beginning, Value?, Value?) in
            guard isReadyToCatchUp(graph) else { return (.unready, nil, nil) }
            let new = ahead[0]
            if isFollowed {
                next = new
                isCatchingUp = true
                return (beginComputing(graph), nil, nil)
            }
            let former = value
            value = ahead.removeFirst()
            return (lineUp(new, thread), new, former)
        }
        switch outcome {
        case .computing: graph.takeTurn(thread, leaves: leaves)
        case .unready: return false
        default:
            if leaves { graph.gate.leave(thread) }
            if outcome == .entered, let new {
                core.deliver(new)
                core.leave(thread)
            } else {
                core.gate.settle()
            }
        }
        withExtendedLifetime(former) {}
        return true
    }

    /// Lock. The value that was set last, visible or not; nil while a body of `modify` is about to set it.
    var newest: Value? {
        if modifier != nil { return nil }
        if let last = ahead.last { return last }
        return isSetting ? next ?? value : value
    }
}

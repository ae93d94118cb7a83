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
        ahead.append(new)
        gate.add(DeferredWork { self.catchUp() })
    }

    /// The turn of the first value that was set ahead. By the owner of the gate that was in the way.
    @usableFromInline
    func catchUp() {
        let thread = ThreadIdentity.current
        switch origin.enter(thread, mayWait: false) {
        case .entered(let graph): catchUp(graph, thread, leaves: true)
        case .inside(let graph): catchUp(graph, thread, leaves: false)
        case .busy(let gate): gate.push(DeferredWork { self.catchUp() })
        }
    }

    private func catchUp(_ graph: Graph, _ thread: UInt, leaves: Bool) {
        let (outcome, new, former) = graph.withOwnLock { () -> (Beginning, Value?, Value?) in
            guard graph.isReady, !isSetting, let new = ahead.first else { return (.unready, nil, nil) }
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
        case .unready:
            if leaves { graph.gate.leave(thread) }
            return catchUp()
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
        if origin.withLock({ _ in ahead.isEmpty && endsAfterwards }) { end() }
    }

    /// Lock. The value that was set last, visible or not; nil while a body of `modify` is about to set it.
    var newest: Value? {
        if modifier != nil { return nil }
        if let last = ahead.last { return last }
        return isSetting ? next ?? value : value
    }
}

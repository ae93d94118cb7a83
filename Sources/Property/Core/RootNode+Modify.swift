public import HotSignals

// Changes that depend on the value, so that nobody may come in between.
extension RootNode {
    /// Sets the value. Returns the one before.
    @usableFromInline
    package func swap(_ new: Value) -> Value {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        let thread = ThreadIdentity.current
        switch origin.enter(thread, mayWait: core.gateContention == .wait) {
        case .entered(let graph): return swap(new, graph, thread, leaves: true)
        case .inside(let graph): return swap(new, graph, thread, leaves: false)
        case .busy(let gate):
            while true {
                let former = origin.withLock { _ -> Value? in
                    let former = newest
                    if former != nil { addAhead(new, gate) }
                    return former
                }
                if let former {
                    gate.settle()
                    return former
                }
                awaitModification(isInPlace: false)
            }
        }
    }

    /// Swaps as the owner of the graph.
    private func swap(_ new: Value, _ graph: Graph, _ thread: UInt, leaves: Bool) -> Value {
        let (beginning, former) = graph.withOwnLock { () -> (Beginning, Value?) in
            guard graph.isReady else { return (.unready, nil) }
            let former = latestUnderLock
            let beginning = begin(with: new, graph, thread)
            if beginning == .behind { addAhead(new, graph.gate) }
            return (beginning, former)
        }
        guard let former else {
            if leaves { graph.gate.leave(thread) }
            return swap(new)
        }
        if beginning == .behind {
            graph.gate.settle()
            if leaves { graph.gate.leave(thread) }
        } else {
            proceed(beginning, new, graph, thread, leaves: leaves)
        }
        return former
    }

    /// Runs `body` with exclusive access to the value, and tells of a change, once, also if it throws.
    @inlinable
    package func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        let thread = ThreadIdentity.current
        switch origin.enter(thread, mayWait: true) {
        case .entered(let graph): return try modify(graph, thread, leaves: true, body)
        case .inside(let graph): return try modify(graph, thread, leaves: false, body)
        case .busy(let gate):
            var copy = beginModifyingAhead()
            let result = access(thread, &copy, body)
            setAhead(copy, gate)
            return try result.get()
        }
    }

    /// As the owner of the graph.
    @inlinable
    func modify<Result, BodyFailure: Error>(
        _ graph: Graph, _ thread: UInt, leaves: Bool, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        // Where nothing else is in the graph, in place: a large array is not copied. Whoever wants the value waits. Nothing is derived
        // from it meanwhile.
        let isInPlace = graph.withOwnLock {
            guard graph.isReady, graph.size == 1, !isFollowed, ahead.isEmpty else { return false }
            modifier = graph
            isModifiedInPlace = true
            return true
        }
        // A graph that takes this one in meanwhile waits for it.
        graph.bodies += 1
        if isInPlace {
            owner.writes()
            let result = access(thread, &value, body)
            graph.bodies -= 1
            let (beginning, new) = graph.withLock { _ -> (Beginning, Value) in
                modifier = nil
                isModifiedInPlace = false
                return (lineUp(value, thread), value)
            }
            proceed(beginning, new, graph, thread, leaves: leaves)
            return try result.get()
        }
        var (new, place) = graph.withLock { _ in
            modifier = graph
            return (ahead.last ?? value, ahead.count)
        }
        let result = access(thread, &new, body)
        graph.bodies -= 1
        let (beginning, former) = graph.withLock { _ in
            modifier = nil
            let former = value
            if ahead.isEmpty { return (begin(with: new, graph, thread), former) }
            // It comes before what was set meanwhile, by others who could not wait.
            insertAhead(new, at: place, graph.gate)
            return (.behind, former)
        }
        if beginning == .behind {
            graph.gate.settle()
            if leaves { graph.gate.leave(thread) }
        } else {
            proceed(beginning, new, graph, thread, leaves: leaves)
        }
        withExtendedLifetime(former) {}
        return try result.get()
    }

    /// Runs a body that this property must not be used in.
    @inlinable
    func access<Result, BodyFailure: Error>(
        _ thread: UInt, _ value: inout Value, _ body: (inout Value) throws(BodyFailure) -> Result
    ) -> Swift.Result<Result, BodyFailure> {
        // Where the graph could not be entered, another thread may be in a body, too.
        let former = accessor.exchange(thread)
        defer { _ = accessor.exchange(former) }
        do {
            return .success(try body(&value))
        } catch {
            return .failure(error)
        }
    }

    /// The value to begin with where waiting for the graph would close a cycle.
    @usableFromInline
    func beginModifyingAhead() -> Value {
        let start = origin.withLock { _ -> Value? in
            guard accessor.loadRelaxed() == 0, modifier == nil else { return nil }
            return newest
        }
        guard let start else { refuseCycle() }
        return start
    }

    /// Runs `body` with the value, which does not change meanwhile.
    @inlinable
    package func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        let thread = ThreadIdentity.current
        let entry = origin.enter(thread, mayWait: true)
        var copy = latest
        switch entry {
        case .entered(let graph), .inside(let graph): graph.bodies += 1
        case .busy: break
        }
        let result = access(thread, &copy) { (value: inout Value) throws(BodyFailure) -> Result in try body(value) }
        switch entry {
        case .entered(let graph):
            graph.bodies -= 1
            graph.gate.leave(thread)
        case .inside(let graph): graph.bodies -= 1
        case .busy: break
        }
        return try result.get()
    }
}

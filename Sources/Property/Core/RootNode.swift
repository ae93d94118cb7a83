public import HotSignals

/// The node of a property that is set.
///
/// Setting enters the graph, so sets in one graph come one after the other, and each is a ``Turn``; without dependents there is
/// nothing to compute, and the lock suffices.
///
/// # Ahead
/// Where the graph cannot be entered - in a closure of a property that is computed in this very graph, where waiting would close a
/// cycle of threads, or must not be - the value is visible at once all the same: it is *ahead* of what is derived from it until the
/// thread in the graph gets round to the turn.
@usableFromInline
@_fixed_layout
package final class RootNode<Value: Sendable>: ValueNode<Value>, @unchecked Sendable {
    // Sendable: as the base class.

    /// Lock. Values that were set and whose turns have not come, the oldest first.
    @exclusivity(unchecked) @usableFromInline var ahead: [Value] = []
    /// Lock. Whether the turn in progress began here.
    @exclusivity(unchecked) @usableFromInline var isSetting = false
    /// Lock. Whether it began with the first of `ahead`.
    @exclusivity(unchecked) @usableFromInline var isCatchingUp = false
    /// Lock. Whether to end after the last of `ahead`.
    @exclusivity(unchecked) private var endsAfterwards = false
    /// Lock. Roots that have the same value as this one: see `Twins.swift`.
    @exclusivity(unchecked) @usableFromInline final var twins: [RootNode] = []
    /// What sets it, for a property that follows a stream. Set before others can reach it.
    @exclusivity(unchecked) @usableFromInline var source: (any Disposable)?
    /// The thread that is in a `modify` or `withValue`; 0 if none is.
    @usableFromInline let accessor = AtomicWord(0)

    /// - Parameter hasEnded: Whether it will never change.
    @inlinable
    package init(_ value: Value, name: StreamName, contention: Contention = .wait, hasEnded: Bool = false) {
        super.init(
            value, Core(rootNamed: name, contention: contention, isTerminated: hasEnded), compute: { _ in false }
        ) { node, thread in
            let node = unsafeDowncast(node, to: RootNode<Value>.self)
            node.endSetting()
            return node.publish(thread)
        }
        self.hasEnded = hasEnded
    }

    /// Stops what sets it.
    @usableFromInline
    override func whenUnwanted() { source?.dispose() }

    override func whenEnded(_ garbage: inout [Unmanaged<PropertyNode>]) {
        for twin in twins { unlink(twin, &garbage) }
    }

    // MARK: Reading

    @inlinable
    package var latest: Value {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        // As `withLock`, but for a closure, which would retain this object.
        let graph = origin
        graph.lock.lock()
        if graph.successor == nil, !isModifiedInPlace {
            let latest = latestUnderLock
            graph.lock.unlock()
            return latest
        }
        graph.lock.unlock()
        return latestSlowly
    }

    @inlinable @inline(never)
    var latestSlowly: Value {
        while true {
            // What has been set ahead is visible whatever happens to the value.
            let found = origin.withLock { _ in !isModifiedInPlace || !ahead.isEmpty ? latestUnderLock : nil }
            if let found { return found }
            awaitModification(isInPlace: true)
        }
    }

    @inlinable @inline(__always)
    var latestUnderLock: Value { ahead.isEmpty ? value : ahead[ahead.count - 1] }

    /// Traps in the body of a `modify` or `withValue` of this property.
    @usableFromInline @inline(never)
    override func refuseAccess() {
        require(
            accessor.loadRelaxed() != ThreadIdentity.current,
            "\(StreamName.description(of: core)): a property must not be used in the body of its own modify or withValue"
        )
    }

    // MARK: Setting

    /// Sets the value.
    @inlinable
    package func set(_ new: Value) {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        let thread = ThreadIdentity.current
        guard origin.gate.enterIfIdle(thread) else { return setSlowly(new, thread) }
        set(new, origin, thread, leaves: true)
    }

    @frozen @usableFromInline
    enum Beginning { case entered, added, computing, unready, behind, ended }

    /// Sets the value as the owner of the graph.
    @inlinable
    func set(_ new: Value, _ graph: Graph, _ thread: UInt, leaves: Bool, waits: Bool = true) {
        // Let go of after all this, as that may be the end of an object of a user's.
        var former = new
        let beginning = graph.withOwnLock { () -> Beginning in
            guard graph.isReady else { return .unready }
            former = value
            return begin(with: new, graph, thread)
        }
        proceed(beginning, new, graph, thread, leaves: leaves, waits: waits)
        withExtendedLifetime(former) {}
    }

    /// Lock. Makes a value the next one, and the value, if nothing depends on it.
    @inlinable @inline(__always)
    func begin(with new: Value, _ graph: Graph, _ thread: UInt) -> Beginning {
        if !ahead.isEmpty { return .behind }
        // Only a binding can be so late, and its target has gone.
        if hasEnded { return .ended }
        if isFollowed {
            next = new
            return beginComputing(graph)
        }
        value = new
        return lineUp(new, thread)
    }

    /// Lock. Whether another node changes with this one.
    @inlinable @inline(__always)
    var isFollowed: Bool { !dependents.isEmpty || !twins.isEmpty }

    /// Does what has been begun under the lock, and leaves the graph.
    @inlinable @inline(__always)
    func proceed(
        _ beginning: Beginning, _ new: Value, _ graph: Graph, _ thread: UInt, leaves: Bool, waits: Bool = true
    ) {
        switch beginning {
        case .entered:
            if leaves { graph.gate.leave(thread) }
            core.deliver(new)
            core.leave(thread)
        case .added:
            if leaves { graph.gate.leave(thread) }
            if waits { core.gate.waitForTurn(thread) } else { core.gate.settle() }
        case .computing: graph.takeTurn(thread, leaves: leaves, waits: waits)
        case .ended: if leaves { graph.gate.leave(thread) }
        case .behind:
            setAhead(new, graph.gate)
            if leaves { graph.gate.leave(thread) }
        case .unready:
            if leaves { graph.gate.leave(thread) }
            setSlowly(new, thread, waits: waits)
        }
    }

    /// Lock. A value has been set that nothing depends on.
    @inlinable
    func lineUp(_ new: Value, _ thread: UInt) -> Beginning {
        version &+= 1
        if core.enterIfIdle(thread) { return .entered }
        core.gate.add(EventOperation(.next(new), to: core))
        return .added
    }

    /// Lock. A value has been set, as the next one, that others depend on.
    @inlinable
    func beginComputing(_ graph: Graph) -> Beginning {
        hasNext = true
        isSetting = true
        if twins.isEmpty { graph.begin(with: self) } else { beginWithTwins(graph) }
        return .computing
    }

    /// Lock and turn. The next value is about to become the value.
    @inlinable
    func endSetting() {
        isSetting = false
        if isCatchingUp { ahead.removeFirst() }
        isCatchingUp = false
    }

    @usableFromInline @inline(never)
    func setSlowly(_ new: Value, _ thread: UInt, waits: Bool = true) {
        switch origin.enter(thread, mayWait: waits && core.gateContention == .wait) {
        case .entered(let graph): set(new, graph, thread, leaves: true, waits: waits)
        case .inside(let graph): set(new, graph, thread, leaves: false, waits: waits)
        case .busy(let gate): setAhead(new, gate)
        }
    }

    /// Runs `body` as the only one in the graph, and sets the value that it returns, if any. It must call nothing of a user's.
    ///
    /// Where the graph cannot be entered it runs all the same, so what it decides on needs a lock of its own.
    ///
    /// - Parameter mayWait: Whether to wait for others, for the graph and for their events.
    @inlinable
    package func update<Result>(
        mayWait: Bool = true, _ body: () -> (new: Value?, result: Result)
    ) -> Result {
        let thread = ThreadIdentity.current
        switch origin.enter(thread, mayWait: mayWait) {
        case .entered(let graph):
            let (new, result) = body()
            if let new { set(new, graph, thread, leaves: true, waits: mayWait) } else { graph.gate.leave(thread) }
            return result
        case .inside(let graph):
            let (new, result) = body()
            if let new { set(new, graph, thread, leaves: false, waits: mayWait) }
            return result
        case .busy(let gate):
            let (new, result) = body()
            if let new { setAhead(new, gate) }
            return result
        }
    }

    // MARK: Swapping

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

    /// Lock. The value that was set last, visible or not; nil while a body of `modify` is about to set it.
    private var newest: Value? {
        if modifier != nil { return nil }
        if let last = ahead.last { return last }
        return isSetting ? next ?? value : value
    }

    // MARK: Setting ahead

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

    // MARK: Modifying

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
            ahead.insert(new, at: place)
            graph.gate.add(DeferredWork { self.catchUp() })
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

    // MARK: Ending

    /// Completes, now or when the graph can be entered. Never waits.
    @usableFromInline
    package func end() {
        let thread = ThreadIdentity.current
        switch origin.enter(thread, mayWait: false) {
        case .entered(let graph): end(graph, thread, leaves: true)
        case .inside(let graph): end(graph, thread, leaves: false)
        case .busy(let gate): gate.push(DeferredWork { self.end() })
        }
    }

    private func end(_ graph: Graph, _ thread: UInt, leaves: Bool) {
        let outcome = graph.withOwnLock { () -> Beginning in
            guard graph.isReady else { return .unready }
            guard ahead.isEmpty, !hasEnded else {
                endsAfterwards = true
                return .behind
            }
            graph.begin(ending: self)
            return .computing
        }
        if outcome == .computing { return graph.takeTurn(thread, leaves: leaves, waits: false) }
        if leaves { graph.gate.leave(thread) }
        if outcome == .unready { end() }
    }
}

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
    /// Lock. Those in which the values of `ahead` were set, but for one whose turn is in progress.
    @exclusivity(unchecked) final var aheadContexts: [CapturedContext] = []
    /// Lock. Whether the turn in progress began here.
    @exclusivity(unchecked) @usableFromInline var isSetting = false
    /// Lock. Whether it began with the first of `ahead`.
    @exclusivity(unchecked) @usableFromInline var isCatchingUp = false
    /// Lock. Whether to end after the last of `ahead`.
    @exclusivity(unchecked) var endsAfterwards = false
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
    var latestUnderLock: Value {
        guard ahead.isEmpty else { return ahead[ahead.count - 1] }
        owner.reads()
        return value
    }

    /// Traps in the body of a `modify` or `withValue` of this property.
    @usableFromInline @inline(never)
    override func refuseAccess() {
        require(
            accessor.loadRelaxed() != ThreadIdentity.current,
            "\(StreamName.description(of: core)): a property must not be used in the body of its own modify or withValue",
            file: #fileID, line: #line
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
        owner.writes()
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

    // MARK: Ending

    /// Completes, now or when the graph can be entered. Never waits.
    @usableFromInline
    package func end() {
        PassiveSection.run {
            let thread = ThreadIdentity.current
            switch origin.enter(thread, mayWait: false) {
            case .entered(let graph): end(graph, thread, leaves: true)
            case .inside(let graph): end(graph, thread, leaves: false)
            case .busy(let gate): gate.push(DeferredWork { self.end() })
            }
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

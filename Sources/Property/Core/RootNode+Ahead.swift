import HotSignals

// Values that are visible before their propagations: see ``RootNode``.
extension RootNode {
    /// Makes a value visible. Its propagation runs when `gate` is left.
    @usableFromInline
    func setAhead(_ new: Value, _ gate: Gate) { while !decider.setAhead(new, gate, for: self) {} }

    /// The same for this root or one of its followers. Returns `false` if this root no longer decides for `root`.
    func setAhead(_ new: Value, _ gate: Gate, for root: RootNode) -> Bool {
        let isDone = changeAhead { held -> Bool in
            let isDecider = decides(for: root, held)
            if isDecider { append(ahead: new, gate, held) }
            return isDecider
        }
        if isDone { gate.settle() }
        return isDone
    }

    /// Whether `root` has the value of this root: it is this root, which has no leader, or it is one of the followers.
    ///
    /// - Parameter held: The locks of this root and of its followers.
    func decides(for root: RootNode, _ held: borrowing HeldLock) -> Bool {
        // A root that is not among the followers has no leader, or another one.
        root === self
            ? condition.leader == nil : links.dependents.all.contains { $0.node.takeUnretainedValue() === root }
    }

    /// Runs `body` with the locks of this root and of its followers.
    func changeAhead<Result>(_ body: (borrowing HeldLock) -> Result) -> Result {
        while true {
            let members = domain.withLock { () -> [PropertyNode] in
                links.dependents.all.map { $0.node.takeUnretainedValue() }.filter(\.isRoot)
            }
            let result = Domain.withLocks([domain] + members.map(\.domain)) { held -> Result? in
                let present = links.dependents.all.lazy.map { $0.node.takeUnretainedValue() }.filter(\.isRoot)
                guard present.elementsEqual(members, by: ===) else { return nil }
                return body(held)
            }
            if let result { return result }
        }
    }

    /// Like ``setAhead(_:_:)``, but leaves settling the gate to the caller, who must do so without the locks.
    ///
    /// - Parameter held: The locks of this root and of its followers.
    func append(ahead new: Value, _ gate: Gate, _ held: borrowing HeldLock) {
        insert(ahead: new, at: condition.ahead.count, gate, held)
    }

    /// The same for a value that precedes some of the values set by other threads.
    func insert(ahead new: Value, at place: Int, _ gate: Gate, _ held: borrowing HeldLock) {
        condition.ahead.insert((new, CapturedContext()), at: place)
        condition.isAhead = true
        countChange(held)
        version.store(version.loadRelaxed() | Self.aheadBit)
        reconsider(held)
        // Followers have the same value.
        for dependent in links.dependents.all {
            dependent.node._withUnsafeGuaranteedRef { node in
                guard node.isRoot else { return }
                node.version.store(node.version.loadRelaxed() &+ Self.versionStep | Self.aheadBit)
            }
        }
        // The value carries its own context, because the operations may be performed in another order than the values
        // were set.
        gate.add(DeferredUpkeep { self.catchUp() })
    }

    /// Runs the propagations of everything that has been set ahead. Called by the owner of the gate that was refused.
    private func catchUp() {
        let thread = ThreadIdentity.current
        switch domain.enter(thread, mayWait: false) {
        case .refused(let gate): gate.push(DeferredUpkeep { self.catchUp() })
        case .entered:
            let refused = catchUp(thread, mayWait: false, limit: 1)
            domain.gate.leave(thread)
            catchUpLater(refused)
        case .inside: catchUpLater(catchUp(thread, mayWait: false, limit: 1))
        }
    }

    /// - Parameter refused: If this is the gate of this root, there are more values, each with an operation of its own.
    private func catchUpLater(_ refused: Gate?) {
        if let refused, refused !== domain.gate { refused.push(DeferredUpkeep { self.catchUp() }) }
    }

    /// Requires the gate. Runs the propagations of the values that have been set ahead. Returns the gate that was
    /// refused, if any.
    ///
    /// - Parameter limit: The number of values after which this gate counts as refused. Otherwise other threads, which
    ///   may set values all the time, could keep the caller here.
    @usableFromInline
    func catchUp(_ thread: UInt, mayWait: Bool, limit: Int = 64) -> Gate? {
        let held = domain.acquire()
        let isAhead = condition.isAhead
        domain.release(held)
        return isAhead ? catchUpSlowly(thread, mayWait: mayWait, limit: limit) : nil
    }

    private func catchUpSlowly(_ thread: UInt, mayWait: Bool, limit: Int) -> Gate? {
        for _ in 0..<limit {
            guard let (value, context) = domain.withLock({ condition.ahead.first }) else { return nil }
            domain.withLock { condition.isCatchingUp = true }
            var refused: (gate: Gate, context: CapturedContext)?
            context.run {
                let gate = propagate(with: value, thread, leaves: false, mayWait: mayWait)
                // A context can be entered only once, so it is captured again.
                refused = gate.map { ($0, CapturedContext()) }
            }
            guard let refused else { continue }
            domain.withLock {
                condition.ahead.popFirst()
                condition.ahead.prepend((value, refused.context))
            }
            return refused.gate
        }
        return domain.withLock { condition.isAhead } ? domain.gate : nil
    }
}

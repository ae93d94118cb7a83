import HotSignals

// Values that are visible before their turns: see ``RootNode``.
extension RootNode {
    /// Makes a value visible whose turn comes when `gate` is left.
    @usableFromInline
    func setAhead(_ new: Value, _ gate: Gate) { while !decider.setAhead(new, gate, for: self) {} }

    /// The same for this root or one that follows it. False if this does not decide for that any more.
    func setAhead(_ new: Value, _ gate: Gate, for root: RootNode) -> Bool {
        let isDone = changeAhead { () -> Bool in
            let isDecider = decides(for: root)
            if isDecider { append(ahead: new, gate) }
            return isDecider
        }
        if isDone { gate.settle() }
        return isDone
    }

    /// Locks. Whether this is the root whose value another one has, or this is that root and follows none.
    func decides(for root: RootNode) -> Bool {
        // The locks of those that follow this are held. What is none of them has no leader, or another one.
        root === self
            ? condition.leader == nil : links.dependents.contains { $0.node.takeUnretainedValue() === root }
    }

    /// Runs `body` with the locks of this root and of those that follow it.
    func changeAhead<Result>(_ body: () -> Result) -> Result {
        while true {
            let members = domain.withLock { links.dependents.map { $0.node.takeUnretainedValue() }.filter(\.isRoot) }
            let result = Domain.withLocks([domain] + members.map(\.domain)) { () -> Result? in
                let present = links.dependents.lazy.map { $0.node.takeUnretainedValue() }.filter(\.isRoot)
                guard present.elementsEqual(members, by: ===) else { return nil }
                return body()
            }
            if let result { return result }
        }
    }

    /// Locks. As ``setAhead(_:_:)``, but for settling the gate, which is to follow without the locks.
    func append(ahead new: Value, _ gate: Gate) { insert(ahead: new, at: condition.ahead.count, gate) }

    /// Locks. The same for one that comes before some that others have set.
    func insert(ahead new: Value, at place: Int, _ gate: Gate) {
        condition.ahead.insert((new, CapturedContext()), at: place)
        condition.isAhead = true
        countChange()
        version.store(version.loadRelaxed() | Self.aheadBit)
        reconsider()
        // Those that follow it have the value as well.
        for dependent in links.dependents {
            dependent.node._withUnsafeGuaranteedRef { node in
                guard node.isRoot else { return }
                node.version.store(node.version.loadRelaxed() &+ Self.versionStep | Self.aheadBit)
            }
        }
        // The value brings its context: the operations need not be performed in the order of the values.
        gate.add(DeferredUpkeep { self.catchUp() })
    }

    /// The turns of what has been set ahead. By the owner of the gate that was in the way.
    private func catchUp() {
        let thread = ThreadIdentity.current
        switch domain.enter(thread, mayWait: false) {
        case .refused(let gate): gate.push(DeferredUpkeep { self.catchUp() })
        case .entered:
            let refused = catchUp(thread, mayWait: false)
            domain.gate.leave(thread)
            if let refused { refused.push(DeferredUpkeep { self.catchUp() }) }
        case .inside:
            if let refused = catchUp(thread, mayWait: false) { refused.push(DeferredUpkeep { self.catchUp() }) }
        }
    }

    /// As the owner: takes the turns of all that has been set ahead. Returns the gate that was refused, if one was.
    @usableFromInline
    func catchUp(_ thread: UInt, mayWait: Bool) -> Gate? {
        while let (value, context) = domain.withLock({ condition.ahead.first }) {
            domain.withLock { condition.isCatchingUp = true }
            var refused: (gate: Gate, context: CapturedContext)?
            context.run {
                let gate = takeTurn(with: value, thread, leaves: false, mayWait: mayWait)
                // A context can be entered once.
                refused = gate.map { ($0, CapturedContext()) }
            }
            guard let refused else { continue }
            domain.withLock { condition.ahead[0].context = refused.context }
            return refused.gate
        }
        return nil
    }
}

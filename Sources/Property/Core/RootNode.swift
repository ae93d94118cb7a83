public import HotSignals

/// The node of a property that is set.
///
/// While nothing is linked to it, setting the value takes only the lock. Otherwise each change is a ``Propagation``,
/// and the propagations of one domain run one after the other.
///
/// # Ahead
/// If a gate is refused, because waiting would close a cycle of threads or is not allowed, the new value is visible
/// immediately all the same. It is *ahead* of what has been published until the owner of that gate runs the
/// propagation. Pulled values are computed from what is visible.
@usableFromInline
@_fixed_layout
package final class RootNode<Value: Sendable>: ValueNode<Value>, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// What the lock guards, besides the value.
    @usableFromInline
    struct Condition {
        /// Whether `value` is what readers see.
        @usableFromInline var isPlain = true
        /// Whether a set can skip the gate, provided that no propagation is in progress.
        @usableFromInline var isSimple = true
        /// Values that were set and whose propagations have not run, the oldest first, with the contexts in which they
        /// were set.
        var ahead = Queue<(value: Value, context: CapturedContext)>()
        /// Whether `ahead` contains anything.
        @usableFromInline var isAhead = false
        /// Whether the propagation in progress is that of the first value in `ahead`.
        var isCatchingUp = false
        /// Whether a body changes the value in place.
        @usableFromInline var isInPlace = false
        /// The number of threads that wait for the body.
        @usableFromInline var waiting = 0
        /// The root that this one follows, together with all roots that are linked to it both ways.
        var leader: RootNode?
        /// The roots that this one is linked to directly. Also guarded by the gate of the leader, if there is one.
        var linkedRoots: [RootNode] = []

        @usableFromInline
        init() {}
    }

    @exclusivity(unchecked) @usableFromInline var condition = Condition()
    /// The thread that runs a body, or 0.
    @usableFromInline let accessor = AtomicWord(0)
    /// The subscription that sets the value, for a property that follows a stream. Set before other threads can reach
    /// the node.
    @exclusivity(unchecked) @usableFromInline var feed: (any Disposable)?

    /// - Parameters:
    ///   - height: Negative for a root that others follow.
    ///   - hasEnded: Whether the value never changes.
    @_alwaysEmitIntoClient
    package init(
        _ value: Value, name: StreamName, contention: Contention = .wait, height: Int = 0, hasEnded: Bool = false
    ) {
        super.init(
            root: value, Core(rootNamed: name, contention: contention, isTerminated: hasEnded), height: height,
            compute: { node, _ in
                let node = unsafeDowncast(node, to: RootNode<Value>.self)
                return node.take(node.leaderOfPropagation.given(nil), nil)
            },
            publish: { node, thread, held in
                let node = unsafeDowncast(node, to: RootNode<Value>.self)
                guard node.condition.isPlain, !node.staged.isEnding else { return publishSpecially(node, thread, held) }
                return node.publish(thread, held)
            })
        links.hasEnded = hasEnded
    }

    deinit { feed?.dispose() }

    /// The core of the signal. A root always has one.
    @_alwaysEmitIntoClient
    package var core: Core<Value, Never> { withCore { $0 } }

    @usableFromInline
    var leaderOfPropagation: RootNode { condition.leader.unsafelyUnwrapped }

    /// Updates `isPlain` and `isSimple`. Call it when their conditions may have changed.
    @usableFromInline
    func reconsider(_ held: borrowing HeldLock) {
        condition.isPlain = !condition.isAhead && !domain.state.isInBody && condition.leader == nil
        condition.isSimple =
            condition.isPlain && links.dependents.isEmpty && !links.hasEnded && !domain.state.isHeld
    }

    override func dependentsHaveChanged(_ held: borrowing HeldLock) { reconsider(held) }

    /// Only during a propagation, with all of its locks held. Called before the next value becomes the value, or before
    /// the node ends.
    @usableFromInline
    func willPublish(_ held: borrowing HeldLock) {
        if condition.isCatchingUp { takeFirstAhead(held) }
        // The propagation publishes the leader first.
        if let leader = condition.leader, !leader.condition.isAhead {
            version.store(version.loadRelaxed() & ~Self.aheadBit)
        }
        if staged.isEnding { condition.isSimple = false }
    }

    /// Removes the first value in `ahead`, whose propagation publishes it.
    func takeFirstAhead(_ held: borrowing HeldLock) {
        condition.ahead.popFirst()
        condition.ahead.shrinkIfEmpty()
        condition.isCatchingUp = false
        condition.isAhead = !condition.ahead.isEmpty
        if !condition.isAhead { version.store(version.loadRelaxed() & ~Self.aheadBit) }
        reconsider(held)
    }

    override func giveWay(to gate: Gate, keepsNext: Bool) -> Bool {
        var isKept = false
        let given = changeAhead { held -> Value? in
            let isNew = staged.hasNext && keepsNext && !condition.isCatchingUp
            let given = takeNext(held)
            (staged, condition.isCatchingUp, domain.propagation) = (Staged(), false, nil)
            // Other threads may have set values ahead during the propagation. Those come after this one.
            if isNew, let given {
                insert(ahead: given, at: 0, gate, held)
                isKept = true
            }
            return given
        }
        // Released with no lock held.
        withExtendedLifetime(given) {}
        return isKept
    }

    // MARK: Reading

    @_alwaysEmitIntoClient
    package var latestOfRoot: Value {
        // Like `withLock`, but without a closure, which would retain this object.
        let domain = domain
        let held = domain.acquire()
        if condition.isPlain {
            owner.reads()
            return domain.release(held, returning: value.unsafelyUnwrapped)
        }
        domain.release(held)
        return latestSlowly
    }

    @usableFromInline @inline(never)
    var latestSlowly: Value {
        refuseAccess()
        while true {
            let (found, leader) = domain.withLock { held in
                (condition.leader == nil ? visible(held) : nil, condition.leader)
            }
            if let leader { return leader.latestOfRoot }
            if let found { return found }
            awaitBody()
        }
    }

    /// The value that readers see; `nil` while it is changed in place.
    @usableFromInline
    func visible(_ held: borrowing HeldLock) -> Value? {
        // A value that has been set ahead is visible whatever happens to `value`.
        if let last = condition.ahead.last { return last.value }
        return condition.isInPlace ? nil : value
    }

    override func visibleValue(_ held: borrowing HeldLock) -> Any? { visible(held) }

    override func deciding(_ held: borrowing HeldLock) -> PropertyNode { condition.leader ?? self }

    @usableFromInline
    override func isChangedInPlace(_ held: borrowing HeldLock) -> Bool { condition.isInPlace }

    /// Traps in the body of a `modify` or `withValue` of this property.
    @usableFromInline @inline(never)
    override func refuseAccess() {
        require(
            accessor.loadRelaxed() != ThreadIdentity.current,
            """
            \(StreamName.description(of: core)): a property must not be used in the body of its own modify or withValue
            """)
    }

    @usableFromInline
    override func awaitBody() { awaitBody(isInPlace: true) }

    /// Waits for the body that is running, and for no later one: while readers wait, the next body does not change the
    /// value in place.
    ///
    /// - Parameter isInPlace: Whether to wait only for a body that changes the value in place.
    func awaitBody(isInPlace: Bool) {
        precondition(tryToAwaitBody(isInPlace: isInPlace), "a reader waits for a body that waits for it")
    }

    /// Returns `false`, possibly before the body has returned, if that waits for this thread.
    func tryToAwaitBody(isInPlace: Bool) -> Bool {
        refuseAccess()
        domain.withLock { condition.waiting += 1 }
        let isOver = WaitingRoom.shared.wait(for: self, as: ThreadIdentity.current) {
            domain.withLock { isInPlace ? condition.isInPlace : domain.state.isInBody }
        }
        domain.withLock { condition.waiting -= 1 }
        return isOver
    }

    /// The value that the last propagation published.
    @usableFromInline
    var publishedOfRoot: Value { whileReadable { value, _ in value } }

    // MARK: Setting

    /// Sets the value.
    @_alwaysEmitIntoClient
    package func set(_ new: Value) {
        let thread = ThreadIdentity.current
        let domain = domain
        if domain.sections.contains(thread) { PureSection.refuseSet(of: self, thread) }
        let held = domain.acquire()
        guard condition.isSimple, domain.propagation == nil else { return setWithDependents(new, thread, held) }
        // Released last, because that may run the `deinit` of a user's object.
        let former = value
        let delivery = replace(with: new, thread, held)
        domain.release(held)
        sendEnqueued(delivery, new, thread)
        withExtendedLifetime(former) {}
    }

    @_alwaysEmitIntoClient @inline(never)
    func setWithDependents(_ new: Value, _ thread: UInt, _ held: consuming HeldLock) {
        guard isDirect(thread, held) else {
            domain.release(held)
            return setSlowly(new, thread)
        }
        stage(new, held)
        // Not `_ =`, which would release `nil`.
        if let refused = propagate(thread, held, leaves: true, mayWait: contention == .wait) {
            withExtendedLifetime(refused) {}
        }
    }

    /// Enters the gate if this root decides on its value and the gate is idle.
    @_alwaysEmitIntoClient @inline(__always)
    func isDirect(_ thread: UInt, _ held: borrowing HeldLock) -> Bool {
        condition.isPlain && !links.hasEnded && domain.gate.enterIfIdle(thread)
    }

    /// Stores a value and enqueues its event, for a root that nothing is linked to.
    @_alwaysEmitIntoClient @inline(__always)
    func replace(with new: Value, _ thread: UInt, _ held: borrowing HeldLock) -> Publication {
        owner.writes()
        value = new
        countChange(held)
        return lineUp(new, thread, held)
    }

    @_alwaysEmitIntoClient @inline(__always)
    func lineUp(_ new: Value, _ thread: UInt, _ held: borrowing HeldLock) -> Publication {
        withCore { core in
            if core.isUnobserved { return .silent }
            if core.enterIfIdle(thread) { return .entered }
            core.add(.next(new))
            return .added
        }
    }

    /// Sends the enqueued event.
    @_alwaysEmitIntoClient @inline(__always)
    func sendEnqueued(_ publication: Publication, _ new: Value, _ thread: UInt, mayWait: Bool = true) {
        switch publication {
        case .entered:
            withCore { core in
                core.deliver(new)
                core.leave(thread)
            }
        case .added: withCore { mayWait ? $0.gate.waitForTurn(thread) : $0.gate.settle() }
        case .silent: break
        }
    }

    @usableFromInline @inline(never)
    func setSlowly(_ new: Value, _ thread: UInt) {
        refuseAccess()
        let mayWait = contention == .wait
        while true {
            switch enter(thread, mayWait: mayWait) {
            case .refused(let root, let gate): if root.setAhead(new, gate, for: self) { return }
            case .owned(let root, let leaves): return root.set(new, thread, leaves: leaves, mayWait: mayWait)
            }
        }
    }

    /// The root that decides on the value, and whether the caller owns its gate.
    @usableFromInline
    enum Entry {
        /// - leaves: Whether the caller must leave the gate.
        case owned(RootNode, leaves: Bool)
        case refused(RootNode, Gate)
    }

    /// Enters the domain of this root, or of its leader. When it returns `.owned`, the propagations of the values ahead
    /// have run, unless the caller modifies the value.
    @usableFromInline
    func enter(_ thread: UInt, mayWait: Bool, toModify: Bool = false) -> Entry {
        while true {
            let root = decider
            // The running body would overwrite the value.
            root.refuseAccess()
            let leaves: Bool
            switch root.domain.enter(thread, mayWait: mayWait, toModify: toModify) {
            case .entered: leaves = true
            case .inside: leaves = false
            case .refused(let gate): return .refused(root, gate)
            }
            if root === decider {
                if toModify { return .owned(root, leaves: leaves) }
                guard let gate = root.catchUp(thread, mayWait: mayWait) else { return .owned(root, leaves: leaves) }
                if leaves { root.domain.gate.leave(thread) }
                return .refused(root, gate)
            }
            if leaves { root.domain.gate.leave(thread) }
        }
    }

    /// The root whose value this one has: its leader, or itself.
    @usableFromInline
    var decider: RootNode { domain.withLock { condition.leader } ?? self }

    /// Sets the value. Requires the gate.
    @usableFromInline
    func set(_ new: Value, _ thread: UInt, leaves: Bool, mayWait: Bool = true) {
        let mayWait = mayWait && contention == .wait
        switch acquireCaughtUp(thread, leaves: leaves, mayWait: mayWait) {
        case .refused(let gate): setAhead(new, gate)
        case .acquired(let held):
            _ = propagate(with: new, thread, held, leaves: leaves, mayWait: mayWait)
        }
    }

    /// The outcome of ``acquireCaughtUp(_:leaves:mayWait:)``.
    enum Acquisition: ~Copyable {
        case acquired(HeldLock)
        /// The gate that a propagation of a value ahead was refused.
        case refused(Gate)
    }

    /// Requires the gate. Acquires the lock once nothing is ahead. If a propagation of a value ahead is refused a gate,
    /// leaves the domain instead if `leaves` is set.
    func acquireCaughtUp(_ thread: UInt, leaves: Bool, mayWait: Bool) -> Acquisition {
        while true {
            let held = domain.acquire()
            // A value that is set ahead during a body comes after the body.
            if !condition.isAhead || domain.state.isInBody { return .acquired(held) }
            domain.release(held)
            if let gate = catchUp(thread, mayWait: mayWait) {
                if leaves { domain.gate.leave(thread) }
                return .refused(gate)
            }
        }
    }

    /// Requires the gate. Makes a value the current one, and runs the propagation. Returns the gate that was refused,
    /// if any. The value is then ahead.
    @usableFromInline
    func propagate(with new: Value, _ thread: UInt, leaves: Bool, mayWait: Bool) -> Gate? {
        propagate(with: new, thread, domain.acquire(), leaves: leaves, mayWait: mayWait)
    }

    /// The same for a caller that holds the lock. Ends a body that is running.
    func propagate(
        with new: Value, _ thread: UInt, _ held: consuming HeldLock, leaves: Bool, mayWait: Bool
    ) -> Gate? {
        if domain.state.isInBody {
            domain.state.isInBody = false
            reconsider(held)
        }
        if links.hasEnded {
            // Only a binding can be this late. Its target is gone.
            if condition.isCatchingUp { takeFirstAhead(held) }
            domain.release(held)
            if leaves { domain.gate.leave(thread) }
            return nil
        }
        if links.dependents.isEmpty {
            let former = value
            if condition.isCatchingUp { takeFirstAhead(held) }
            let publication = replace(with: new, thread, held)
            domain.release(held)
            if leaves { domain.gate.leave(thread) }
            sendEnqueued(publication, new, thread, mayWait: mayWait)
            withExtendedLifetime(former) {}
            return nil
        }
        stage(new, held)
        return propagate(thread, held, leaves: leaves, mayWait: mayWait)
    }

    // MARK: Ending

    /// Completes now, or when the gate is free. Never waits.
    @usableFromInline
    package func end() {
        if PureSection.isCurrent { return PureSection.afterwards { self.end() } }
        PassiveSection.run {
            leaveLinkedRoots()
            let thread = ThreadIdentity.current
            switch enter(thread, mayWait: false) {
            case .refused(_, let gate): gate.push(DeferredWork { self.end() })
            case .owned(let root, let leaves):
                // The root has been linked to others again in the meantime.
                if root !== self {
                    if leaves { root.domain.gate.leave(thread) }
                    return end()
                }
                let held = domain.acquire()
                if links.hasEnded {
                    domain.release(held)
                    if leaves { domain.gate.leave(thread) }
                    return
                }
                staged.isEnding = true
                if let gate = propagate(thread, held, leaves: leaves, mayWait: false) {
                    gate.push(DeferredWork { self.end() })
                }
            }
        }
    }
}

/// Publishes a root that ends, or whose value is not simply what readers see. A function, not a method, so that the
/// caller can jump to it.
@_alwaysEmitIntoClient @inline(never)
func publishSpecially<Value>(
    _ node: RootNode<Value>, _ thread: UInt, _ held: borrowing HeldLock
) -> PropertyNode.Publication {
    node.willPublish(held)
    return node.publish(thread, held)
}

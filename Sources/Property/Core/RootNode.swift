public import HotSignals

/// The node of a property that is set.
///
/// While nothing is linked to it, setting the value takes only the lock. Otherwise each change is a ``Propagation``,
/// and the propagations of one domain run one after the other.
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
        /// Whether a body changes the value in place.
        @usableFromInline var isInPlace = false
        /// The number of threads that wait for the body.
        @usableFromInline var waiting = 0

        @usableFromInline
        init() {}
    }

    @exclusivity(unchecked) @usableFromInline var condition = Condition()
    /// The thread that runs a body, or 0.
    @usableFromInline let accessor = AtomicWord(0)
    /// The start that sets the value, for a property that follows a stream. Set before other threads can reach
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
            root: value, name, contention: contention, height: height,
            compute: { node, _ in
                let node = unsafeDowncast(node, to: RootNode<Value>.self)
                return node.take(node.deciding(node.leader).given(nil), nil)
            },
            publish: { node, thread, held in
                let node = unsafeDowncast(node, to: RootNode<Value>.self)
                if node.staged.isEnding { node.condition.isSimple = false }
                return node.publish(thread, held)
            })
        links.hasEnded = hasEnded
    }

    deinit { feed?.dispose() }

    /// The lifetime of the signal. One that has ended if the root has ended before it was first asked for.
    @usableFromInline
    package var lifetime: Lifetime {
        let core = typedCore
        return domain.withLock { links.hasEnded ? .empty : core.makeLifetime() }
    }

    /// The leader, or this root.
    @_alwaysEmitIntoClient @inline(__always)
    func deciding(_ leader: PropertyNode?) -> RootNode { leader.map { unsafeDowncast($0, to: RootNode.self) } ?? self }

    /// Updates `isPlain` and `isSimple`. Call it when their conditions may have changed.
    @_alwaysEmitIntoClient @inline(__always)
    func reconsider(_ held: borrowing HeldLock) {
        condition.isPlain = !domain.state.isInBody && leader == nil
        condition.isSimple =
            condition.isPlain && links.dependents.isEmpty && !links.hasEnded && !domain.state.isHeld
    }

    override func dependentsHaveChanged(_ held: borrowing HeldLock) { reconsider(held) }

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
        return whileReadable { $0 }
    }

    override func visibleValue(_ held: borrowing HeldLock) -> (any Sendable)? { condition.isInPlace ? nil : value }

    @usableFromInline
    override func isChangedInPlace(_ held: borrowing HeldLock) -> Bool { condition.isInPlace }

    /// Traps in the body of a `modify` or `withValue` of this property.
    @usableFromInline @inline(never)
    override func refuseAccess() {
        require(
            deciding(domain.withLock { leader }).accessor.loadRelaxed() != ThreadIdentity.current,
            """
            \(StreamName.description(of: typedCore)): a property must not be used in the body of its own modify or withValue
            """)
    }

    /// The number of readers that wait for a body.
    package final var waitingReaders: Int { domain.withLock { condition.waiting } }

    /// Waits for the body that is running, and for no later one: while readers wait, the next body does not change the
    /// value in place.
    @usableFromInline
    override func awaitBody() {
        refuseAccess()
        domain.withLock { condition.waiting += 1 }
        let isOver = WaitingRoom.shared.wait(for: self, as: ThreadIdentity.current) {
            domain.withLock { condition.isInPlace }
        }
        domain.withLock { condition.waiting -= 1 }
        require(
            isOver, "\(StreamName.description(of: typedCore)): a reader waits for a body of modify that waits for it")
    }

    // MARK: Setting

    override func beginTransaction(_ thread: UInt) {
        makeCoreIfNeeded()
        _ = beginBody(mayBeInPlace: false)
        accessor.store(thread)
    }

    @usableFromInline
    override func cancelTransaction() {
        accessor.store(0)
        endBody()
    }

    /// Sets the value. Always inlined: otherwise this object is retained for the call.
    @_alwaysEmitIntoClient @inline(__always)
    package func set(_ new: Value) {
        let thread = ThreadIdentity.current
        let domain = domain
        let held = domain.acquire()
        guard condition.isSimple, domain.propagation == nil, !domain.sections.mayContain(thread) else {
            return setWithDependents(new, thread, held)
        }
        // Released last, because that may run the `deinit` of a user's object.
        let former = value
        let delivery = replace(with: new, thread, held)
        domain.release(held)
        sendEnqueued(delivery, new, thread)
        withExtendedLifetime(former) {}
    }

    @_alwaysEmitIntoClient @inline(never)
    func setWithDependents(_ new: Value, _ thread: UInt, _ held: consuming HeldLock) {
        // Without dependents, which need a core, the former value might be released under the lock.
        guard !links.dependents.isEmpty, !domain.sections.mayContain(thread), isDirect(thread, held) else {
            domain.release(held)
            return setSlowly(new, thread)
        }
        stage(new, held)
        propagate(thread, held, mayWait: contention == .wait)
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
        guard let core = coreReference else { return .silent }
        return core._withUnsafeGuaranteedRef { core in
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
        PureSection.refuseSet(of: self, thread)
        let root = enter(thread)
        root.propagate(with: new, thread, root.domain.acquire(), mayWait: contention == .wait)
    }

    /// Enters the domain of the root that decides on the value: the leader, or this one. Waits for other threads'
    /// closures and bodies.
    @usableFromInline
    func enter(_ thread: UInt) -> RootNode {
        while true {
            let root = deciding(decider)
            root.domain.gate.enter(thread)
            if root === decider { return root }
            root.domain.gate.leave(thread)
        }
    }

    /// Makes a value the current one, and runs the propagation. Requires the gate, and leaves it. Ends a body that is
    /// running.
    ///
    /// - Parameter mayWait: Whether to wait for observers.
    @usableFromInline
    func propagate(with new: Value, _ thread: UInt, _ held: consuming HeldLock, mayWait: Bool) {
        if domain.state.isInBody { markBody(false, held) }
        if links.hasEnded {
            // Only a binding can be this late. Its target is gone.
            domain.release(held)
            domain.gate.leave(thread)
        } else if links.dependents.isEmpty {
            let former = value
            let publication = replace(with: new, thread, held)
            domain.release(held)
            domain.gate.leave(thread)
            sendEnqueued(publication, new, thread, mayWait: mayWait)
            withExtendedLifetime(former) {}
        } else {
            stage(new, held)
            propagate(thread, held, mayWait: mayWait)
        }
    }

    // MARK: Linking to other roots

    override func setToValue(of other: PropertyNode, _ thread: UInt) -> () -> Void {
        let value = deciding(other).stableValue
        return propagate(with: { value }, thread).send
    }

    override func makeLeader() -> PropertyNode {
        let leader = RootNode(stableValue, name: StreamName("binding"), height: -1)
        leader.makeCoreIfNeeded()
        return leader
    }

    // MARK: Ending

    /// Completes now, or when the domains that this concerns are free. Never waits.
    @usableFromInline
    package func end() { end(mayWait: false) }

    /// Completes now if the gate is idle and nothing is linked to the root.
    private func endIfSimple(_ thread: UInt) -> Bool {
        guard domain.gate.enterIfIdle(thread) else { return false }
        let publication = domain.withLock { held -> Publication? in
            guard condition.isSimple, domain.propagation == nil else { return nil }
            links.hasEnded = true
            reconsider(held)
            guard let core = signalCore else { return .silent }
            if !core.enterIfIdle(thread) {
                withCore { $0.add(.completed) }
                return .added
            }
            isOutgoingLast = true
            return .entered
        }
        domain.gate.leave(thread)
        switch publication {
        case .entered: PassiveSection.run { behavior.deliver(self, thread) }
        case .added: PassiveSection.run { signalCore?.gate.settle() }
        case .silent: break
        case nil: return false
        }
        return true
    }

    /// - Parameter mayWait: Whether to wait for domains.
    private func end(mayWait: Bool) {
        if PureSection.isCurrent { return PureSection.afterwards { self.end() } }
        let thread = ThreadIdentity.current
        if endIfSimple(thread) { return }
        PassiveSection.run {
            guard leaveLinkedRoots(thread, mayWait: mayWait, otherwise: { self.end(mayWait: true) }) else { return }
            if mayWait {
                domain.gate.enter(thread)
            } else if !domain.gate.enterIfFree(thread, otherwise: { self.end(mayWait: true) }) {
                return
            }
            let held = domain.acquire()
            // The root may have been linked to others again in the meantime.
            let isLinked = leader != nil
            if isLinked || links.hasEnded {
                domain.release(held)
                domain.gate.leave(thread)
                return isLinked ? end(mayWait: mayWait) : ()
            }
            staged.isEnding = true
            let (taken, events) = propagateToEvents(thread, held, mayWait: mayWait)
            domain.gate.leave(thread)
            events.deliver(thread, mayWait: false)
            taken?.whenFree { self.end(mayWait: $0) }
        }
    }
}

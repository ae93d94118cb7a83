public import HotSignals

/// The node of a property that is set.
///
/// While nothing is linked to it, setting takes the lock only. Otherwise each change is a ``Turn``, and those of one domain come one after
/// the other.
///
/// # Ahead
/// Where a gate is refused - waiting would close a cycle of threads, or is not allowed - the value is visible at once all the same: it is
/// *ahead* of what has been published until the owner of that gate gets round to the turn. What is pulled follows from what is visible.
@usableFromInline
@_fixed_layout
package final class RootNode<Value: Sendable>: ValueNode<Value>, @unchecked Sendable {
    // Sendable: as the base class.

    /// What the lock guards, beside the value.
    @usableFromInline
    struct Condition {
        /// Whether the value is what everybody sees.
        @usableFromInline var isPlain = true
        /// Whether a set need not enter the gate, unless a turn is in progress.
        @usableFromInline var isSimple = true
        /// Values that were set and whose turns have not come, the oldest first, and the contexts in which that happened.
        var ahead: [(value: Value, context: CapturedContext)] = []
        /// Whether there are any.
        @usableFromInline var isAhead = false
        /// Whether the turn in progress is that of the first of these.
        var isCatchingUp = false
        /// Whether a body changes the value in place.
        @usableFromInline var isInPlace = false
        /// How many readers wait for that.
        @usableFromInline var waiting = 0
        /// The root that this one follows, with all that are bound to it both ways.
        var leader: RootNode?
        /// Those that it is bound to. Gate of the leader, if there is one, as well.
        var twins: [RootNode] = []

        @usableFromInline
        init() {}
    }

    @exclusivity(unchecked) @usableFromInline var condition = Condition()
    /// The thread that is in a body; 0 if none is.
    @usableFromInline let accessor = AtomicWord(0)
    /// What sets it, for a property that follows a stream. Set before others can reach it.
    @exclusivity(unchecked) @usableFromInline var feed: (any Disposable)?

    /// - Parameters:
    ///   - height: Less than 0 for one that others follow.
    ///   - hasEnded: Whether it will never change.
    @inlinable
    package init(
        _ value: Value, name: StreamName, contention: Contention = .wait, height: Int = 0, hasEnded: Bool = false
    ) {
        super.init(
            root: value, Core(rootNamed: name, contention: contention, isTerminated: hasEnded), height: height,
            compute: { node, _ in
                let node = unsafeDowncast(node, to: RootNode<Value>.self)
                return node.take(node.leaderOfTurn.given(nil), nil)
            },
            publish: { node, thread in
                let node = unsafeDowncast(node, to: RootNode<Value>.self)
                // No more than that, mostly.
                if node.condition.isPlain, !node.staged.isEnding { node.countChange() } else { node.willPublish() }
                return node.publish(thread)
            })
        links.hasEnded = hasEnded
    }

    deinit { feed?.dispose() }

    /// The core of the signal, which a root always has.
    @inlinable
    package var core: Core<Value, Never> { withCore { $0 } }

    @usableFromInline
    var leaderOfTurn: RootNode { condition.leader.unsafelyUnwrapped }

    /// Lock. To be called when what `isPlain` and `isSimple` say may have changed.
    @usableFromInline
    func reconsider() {
        condition.isPlain = !condition.isAhead && !domain.state.isInBody && condition.leader == nil
        condition.isSimple =
            condition.isPlain && links.dependents.isEmpty && !links.hasEnded && !domain.state.isHeld
    }

    override func dependentsHaveChanged() { reconsider() }

    /// Lock. There is another visible value, or another published one.
    @inlinable @inline(__always)
    func countChange() { version.store(version.loadRelaxed() &+ Self.versionStep) }

    /// Locks and turn. The next value is about to become the value, or the node to end.
    @usableFromInline
    func willPublish() {
        if staged.hasNext { countChange() }
        if condition.isCatchingUp { takeFirstAhead() }
        // The leader comes first.
        if let leader = condition.leader, !leader.condition.isAhead {
            version.store(version.loadRelaxed() & ~Self.aheadBit)
        }
        if staged.isEnding { condition.isSimple = false }
    }

    /// Lock. The first of those that are ahead has its turn.
    func takeFirstAhead() {
        condition.ahead.removeFirst()
        condition.isCatchingUp = false
        condition.isAhead = !condition.ahead.isEmpty
        if !condition.isAhead { version.store(version.loadRelaxed() & ~Self.aheadBit) }
        reconsider()
    }

    override func giveWay(to gate: Gate, keepsNext: Bool) -> Bool {
        var isKept = false
        let given = changeAhead { () -> Value? in
            let isNew = staged.hasNext && keepsNext && !condition.isCatchingUp
            let given = next.take()
            (staged, condition.isCatchingUp, domain.turn) = (Staged(), false, nil)
            // Others may have set one during the turn, which comes after this.
            if isNew, let given {
                insert(ahead: given, at: 0, gate)
                isKept = true
            }
            return given
        }
        // With no lock held.
        withExtendedLifetime(given) {}
        return isKept
    }

    // MARK: Reading

    @inlinable
    package var latestOfRoot: Value {
        // As `withLock`, but for a closure, which would retain this object.
        let domain = domain
        domain.lock.lock()
        if condition.isPlain {
            owner.reads()
            let value = value.unsafelyUnwrapped
            domain.lock.unlock()
            return value
        }
        domain.lock.unlock()
        return latestSlowly
    }

    @usableFromInline @inline(never)
    var latestSlowly: Value {
        refuseAccess()
        while true {
            let (found, leader) = domain.withLock {
                (condition.leader == nil ? visible : nil, condition.leader)
            }
            if let leader { return leader.latestOfRoot }
            if let found { return found }
            awaitBody()
        }
    }

    /// Lock. What everybody sees; nil while it is changed in place.
    @usableFromInline
    var visible: Value? {
        // What has been set ahead is visible whatever happens to the value.
        if let last = condition.ahead.last { return last.value }
        return condition.isInPlace ? nil : value
    }

    override var visibleValue: Any? { visible }

    /// Lock.
    @usableFromInline
    override var isChangedInPlace: Bool { condition.isInPlace }

    /// Traps in the body of a `modify` or `withValue` of this property.
    @usableFromInline @inline(never)
    override func refuseAccess() {
        require(
            accessor.loadRelaxed() != ThreadIdentity.current,
            "\(StreamName.description(of: core)): a property must not be used in the body of its own modify or withValue",
            file: #fileID, line: #line
        )
    }

    @usableFromInline
    override func awaitBody() { awaitBody(isInPlace: true) }

    /// Waits for the body that is running, and for no other one: the next one does not change the value in place while readers wait.
    ///
    /// - Parameter isInPlace: Whether to wait only for one that changes the value in place.
    func awaitBody(isInPlace: Bool) {
        refuseAccess()
        domain.withLock { condition.waiting += 1 }
        let isOver = WaitingRoom.shared.wait(for: self, as: ThreadIdentity.current) {
            domain.withLock { isInPlace ? condition.isInPlace : domain.state.isInBody }
        }
        domain.withLock { condition.waiting -= 1 }
        precondition(isOver, "a reader waits for a body that waits for it")
    }

    /// The value that the last turn has left.
    @usableFromInline
    var publishedOfRoot: Value { whileReadable { $0 } }

    // MARK: Setting

    /// Sets the value.
    @inlinable
    package func set(_ new: Value) {
        let thread = ThreadIdentity.current
        let domain = domain
        domain.lock.lock()
        guard condition.isSimple, domain.turn == nil else { return setWithDependents(new, thread) }
        // Let go of after all this, as that may be the end of an object of a user's.
        let former = value
        let delivery = replace(with: new, thread)
        domain.lock.unlock()
        finish(delivery, new, thread)
        withExtendedLifetime(former) {}
    }

    /// Lock, which is left.
    @inlinable @inline(never)
    func setWithDependents(_ new: Value, _ thread: UInt) {
        guard isDirect(thread) else {
            domain.lock.unlock()
            return setSlowly(new, thread)
        }
        next = new
        staged.hasNext = true
        _ = takeTurn(thread, leaves: true, mayWait: contention == .wait)
    }

    /// Lock. Enters the gate if this root decides on its value, and nothing stands in the way.
    @inlinable @inline(__always)
    func isDirect(_ thread: UInt) -> Bool {
        condition.isPlain && !links.hasEnded && domain.gate.enterIfIdle(thread)
    }

    /// Lock. Makes a value the value, and lines up its event, where nothing is linked to this.
    @inlinable @inline(__always)
    func replace(with new: Value, _ thread: UInt) -> Publication {
        owner.writes()
        value = new
        countChange()
        return lineUp(new, thread)
    }

    @inlinable @inline(__always)
    func lineUp(_ new: Value, _ thread: UInt) -> Publication {
        withCore { core in
            if core.isUnobserved { return .silent }
            if core.enterIfIdle(thread) { return .entered }
            core.gate.add(EventOperation(.next(new), to: core))
            return .added
        }
    }

    /// Sends the event that has been lined up.
    @inlinable @inline(__always)
    func finish(_ publication: Publication, _ new: Value, _ thread: UInt, mayWait: Bool = true) {
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
        /// - leaves: Whether the caller is to leave it.
        case owned(RootNode, leaves: Bool)
        case refused(RootNode, Gate)
    }

    /// Enters the domain of this root, or of the one that it follows. Unless the caller modifies the value, what is ahead there has had its
    /// turns then.
    @usableFromInline
    func enter(_ thread: UInt, mayWait: Bool, toModify: Bool = false) -> Entry {
        while true {
            let root = decider
            // Its body would overwrite the value.
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

    /// The root whose value this one has.
    @usableFromInline
    var decider: RootNode { domain.withLock { condition.leader } ?? self }

    /// Sets the value as the owner of the gate.
    @usableFromInline
    func set(_ new: Value, _ thread: UInt, leaves: Bool, mayWait: Bool = true) {
        let mayWait = mayWait && contention == .wait
        if let gate = lockCaughtUp(thread, leaves: leaves, mayWait: mayWait) { return setAhead(new, gate) }
        _ = takeTurnFromLock(with: new, thread, leaves: leaves, mayWait: mayWait)
    }

    /// As the owner: takes the lock when nothing is ahead. Returns the gate that was refused to what is, if one was; then the domain has
    /// been left instead.
    func lockCaughtUp(_ thread: UInt, leaves: Bool, mayWait: Bool) -> Gate? {
        while true {
            domain.lock.lock()
            // What has been set during a body comes after that.
            if !condition.isAhead || domain.state.isInBody { return nil }
            domain.lock.unlock()
            if let gate = catchUp(thread, mayWait: mayWait) {
                if leaves { domain.gate.leave(thread) }
                return gate
            }
        }
    }

    /// As the owner: makes a value the value, with all that follows from it. Returns the gate that was refused, if one was; then the value
    /// is ahead.
    @usableFromInline
    func takeTurn(with new: Value, _ thread: UInt, leaves: Bool, mayWait: Bool) -> Gate? {
        domain.lock.lock()
        return takeTurnFromLock(with: new, thread, leaves: leaves, mayWait: mayWait)
    }

    /// Lock, which is left. The same. If there was a body, it is over with this.
    func takeTurnFromLock(with new: Value, _ thread: UInt, leaves: Bool, mayWait: Bool) -> Gate? {
        if domain.state.isInBody {
            domain.state.isInBody = false
            reconsider()
        }
        if links.hasEnded {
            // Only a binding can be so late, and its target has gone.
            if condition.isCatchingUp { takeFirstAhead() }
            domain.lock.unlock()
            if leaves { domain.gate.leave(thread) }
            return nil
        }
        if links.dependents.isEmpty {
            let former = value
            if condition.isCatchingUp { takeFirstAhead() }
            let publication = replace(with: new, thread)
            domain.lock.unlock()
            if leaves { domain.gate.leave(thread) }
            finish(publication, new, thread, mayWait: mayWait)
            withExtendedLifetime(former) {}
            return nil
        }
        next = new
        staged.hasNext = true
        return takeTurn(thread, leaves: leaves, mayWait: mayWait)
    }

    /// Owner. Gives this a next value, for a turn that begins with several roots.
    func stage(_ new: Value) -> PropertyNode {
        domain.withLock {
            next = new
            staged.hasNext = true
        }
        return self
    }

    /// As the owner, who stays: makes a value the value. `then` gets what sends the events. Returns the gate that was refused, if one was;
    /// then the value is ahead, and the caller settles the gate when nothing is owned any more.
    func takeTurn(
        with new: Value, _ thread: UInt, mayWait: Bool = true, then: (@escaping () -> Void) -> Void
    ) -> Gate? {
        if let gate = lockCaughtUp(thread, leaves: false, mayWait: mayWait) {
            changeAhead { append(ahead: new, gate) }
            return gate
        }
        if links.hasEnded {
            domain.lock.unlock()
            return nil
        }
        if links.dependents.isEmpty {
            let former = value
            let publication = replace(with: new, thread)
            domain.lock.unlock()
            then {
                self.finish(publication, new, thread, mayWait: mayWait)
                withExtendedLifetime(former) {}
            }
            return nil
        }
        next = new
        staged.hasNext = true
        let (refused, _, events) = takeTurnToEvents(thread, leaves: false, mayWait: mayWait)
        if refused == nil { then { events.deliver(thread, mayWait: mayWait) } }
        return refused
    }

    /// Runs `body` as the owner of the gates of this and of `domains`, and sets the value that it returns, if any. It must call nothing
    /// of a user's.
    ///
    /// Where a gate is refused it runs all the same, so what it decides on needs a lock of its own.
    ///
    /// - Parameter mayWait: Whether to wait for others, for the gates and for their events.
    package func update<Result>(
        owning domains: [Domain], mayWait: Bool = true, _ body: () -> (new: Value?, result: Result)
    ) -> Result {
        let thread = ThreadIdentity.current
        var entrance = Entrance()
        var refused =
            entrance.enter([domain] + domains, thread, mayWait: mayWait)
            ?? catchUp(thread, mayWait: mayWait)
        let (new, result) = body()
        var send: (() -> Void)?
        if let new {
            if let refused {
                changeAhead { append(ahead: new, refused) }
            } else {
                refused = takeTurn(with: new, thread, mayWait: mayWait, then: { send = $0 })
            }
        }
        entrance.leave(thread)
        refused?.settle()
        send?()
        return result
    }

    // MARK: Ending

    /// Completes, now or when the gate is free. Never waits.
    @usableFromInline
    package func end() {
        PassiveSection.run {
            leaveTwins()
            let thread = ThreadIdentity.current
            switch enter(thread, mayWait: false) {
            case .refused(_, let gate): gate.push(DeferredWork { self.end() })
            case .owned(let root, let leaves):
                // Bound to others again meanwhile.
                if root !== self {
                    if leaves { root.domain.gate.leave(thread) }
                    return end()
                }
                domain.lock.lock()
                if links.hasEnded {
                    domain.lock.unlock()
                    if leaves { domain.gate.leave(thread) }
                    return
                }
                staged.isEnding = true
                if let gate = takeTurn(thread, leaves: leaves, mayWait: false) {
                    gate.push(DeferredWork { self.end() })
                }
            }
        }
    }
}

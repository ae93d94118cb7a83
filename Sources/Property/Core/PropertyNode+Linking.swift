import HotSignals

extension PropertyNode {
    // MARK: Keeping a node linked

    /// Links the node, and keeps it linked until ``endWish(_:)``. May compute values.
    @usableFromInline
    final func beginWish() {
        while true {
            link()
            let isDone = domain.withLock { () -> Bool in
                // Another thread may have unlinked the node again.
                if links.isLinked { links.wishes += 1 }
                return links.isLinked
            }
            if isDone { return }
        }
    }

    /// - Parameter gate: The gate of the node's signal, if the caller owns that. The signal retains the node.
    @usableFromInline
    final func endWish(_ gate: Gate?) {
        let isLast = domain.withLock { () -> Bool in
            links.wishes -= 1
            return links.wishes == 0
        }
        if isLast { unlinkIfUnwanted(gate) }
    }

    // MARK: Linking

    /// Links the node and everything it is derived from.
    private final func link() {
        // The common case.
        if linkIfShallow(8) { return }
        // From the roots up, without recursion, because chains can be long.
        var path = [(node: self, next: 0)]
        var failures = 0
        while let (node, next) = path.last {
            let missing = node.firstInput(from: next) { input in input.domain.withLock { !input.isLinked($0) } }
            if let missing {
                path[path.count - 1].next = missing + 1
                path.append((node: node.input(missing), next: 0))
            } else if failures < Self.attempts ? node.linkOnce() : node.linkWhileRootsWait({ node.linkOnce() }) {
                path.removeLast()
                failures = 0
            } else {
                // An input has changed or been unlinked, and the inputs are checked again. After some failures, the
                // closures take so long that a root changes during each attempt, or a propagation takes in no more
                // nodes.
                failures = failures < Self.attempts ? failures + 1 : 0
                path[path.count - 1].next = 0
            }
        }
    }

    /// Links the node if it is linked after a few steps. Returns `false` if that is left to do.
    private final func linkIfShallow(_ depth: Int) -> Bool {
        if domain.withLock({ isLinked($0) }) { return true }
        return depth > 0 && !containsInput { !$0.linkIfShallow(depth - 1) } && linkOnce()
    }

    /// How often a thread tries to link a node before others wait for it. Fewer in the explorer, so that short
    /// scenarios reach it.
    @usableFromInline
    static var attempts: Int {
        #if Explore
        1
        #else
        8
        #endif
    }

    /// Links the node, whose inputs are linked. Returns `false` if something changes in the meantime.
    private final func linkOnce() -> Bool {
        makeCoresIfNeeded()
        // Usually a reader has already computed the value.
        let changes = changesOfInputs
        let isKnown = domain.withLock { seenChanges == changes }
        let isDone = isKnown ? link(ifStill: changes) { _ in } : tryToLink()
        if !isDone { awaitBodies() }
        return isDone
    }

    /// Creates the cores with which propagations publish the node, and the roots that it is linked to.
    @usableFromInline
    final func makeCoresIfNeeded() {
        makeCoreIfNeeded()
        forEachInput { _, input in input.makeCoreIfNeeded() }
    }

    /// A previous value that is an object is released by the delivery of an event, which needs the core.
    @usableFromInline
    final func makeCoreIfNeeded() { if !isTrivial { _ = namedCore() } }

    /// Waits while bodies change inputs in place. Such a body does not notify dependents of the change.
    private final func awaitBodies() {
        forEachInput { _, input in if input.domain.withLock({ input.isInPlace($0) }) { input.awaitBody() } }
    }

    private final func isInPlace(_ held: borrowing HeldLock) -> Bool {
        isRoot && domain.state.isInBody && isChangedInPlace(held)
    }

    /// Calls `link` while threads that want to set a root wait. In a section, where the caller must not wait for other
    /// threads, they do so only if none of them is setting one.
    @usableFromInline
    final func linkWhileRootsWait(_ link: () -> Bool) -> Bool {
        let roots = sources.map { $0.takeUnretainedValue() }
        let thread = ThreadIdentity.current
        var entered = EnteredDomains()
        if !PureSection.isCurrent {
            entered.enter(roots.map(\.domain), thread)
        } else if entered.enterIfFree(roots.map(\.domain), thread) != nil {
            return link()
        }
        // What the closures leave has to wait until the domains have been left.
        let sections = PureSection.begin(thread, roots[0], isBody: true)
        for root in roots { root.hold(true) }
        // Otherwise another thread has unlinked an input in the meantime.
        let isReady = !containsInput { input in input.domain.withLock { !input.isLinked($0) } }
        let isDone = isReady && link()
        for root in roots { root.hold(false) }
        entered.leave(thread)
        PureSection.end(thread, sections, roots[0])?.perform()
        return isDone
    }

    /// Requires the gate. Makes threads that set the value enter the gate, or allows them to skip it again.
    final func hold(_ isHeld: Bool) {
        domain.withLock { held in
            domain.state.isHeld = isHeld
            dependentsHaveChanged(held)
        }
    }

    /// Links the inputs.
    @usableFromInline
    final func linkInputs() { forEachInput { $1.link() } }

    /// Makes this node a dependent of its inputs, unless ``changesOfInputs`` differs from `changes`.
    ///
    /// - Parameter commit: Stores the computed value. Called with all locks held.
    @usableFromInline
    final func link(ifStill changes: UInt, _ commit: (borrowing HeldLock) -> Void) -> Bool {
        withLinkingLocks { held in
            if links.isLinked { return true }
            if containsInput(where: { !$0.isLinked(held) || $0.isInPlace(held) }) { return false }
            if changesOfInputs(held) != changes { return false }
            if containsInput(where: { $0.domain.refusesNewcomers(held) }) { return false }
            commit(held)
            links.isLinked = true
            links.hasEnded = endsWhen { $0.links.hasEnded } || isEndingComputed && containsInput { $0.links.hasEnded }
            if links.hasEnded {
                links.wasFoundEnded = true
                return true
            }
            forEachInput { number, input in
                if input.links.hasEnded { return }
                append(to: input, number, held)
                if input.domain.propagation != nil { becomeNewcomer(to: input.domain.expectNewcomers(held), held) }
                if let all = input.links.newcomerTo { for newcomers in all { becomeNewcomer(to: newcomers, held) } }
            }
            return true
        }
    }

    private final func becomeNewcomer(to newcomers: Newcomers, _ held: borrowing HeldLock) {
        let known = links.newcomerTo ?? []
        if known.contains(where: { $0 === newcomers }) || !newcomers.add(self) { return }
        links.newcomerTo = known + [newcomers]
    }

    /// Runs `body` with the locks of the node's domain and of its inputs' domains.
    @inline(__always)
    private final func withLinkingLocks<Result>(_ body: (borrowing HeldLock) -> Result) -> Result {
        // The inputs lie in the node's own domain.
        if domain.height < height { return domain.withLock { body($0) } }
        // Usually there are two.
        if let severalInputs, severalInputs.count == 2 {
            let (one, other) = (severalInputs[0].domain, severalInputs[1].domain)
            let held = Domain.acquire(one, other)
            // The node's own domain is the highest.
            let result = domain.withLock { body($0) }
            Domain.release(held, of: one, other)
            return result
        }
        return Domain.withLocks(inputs.map(\.domain) + [domain]) { body($0) }
    }

    /// - Parameter held: The locks of this node and of the input.
    final func append(to input: PropertyNode, _ number: Int, _ held: borrowing HeldLock) {
        setPlace(number, input.links.dependents.count)
        input.links.dependents.append(Dependents.Dependent(node: .passRetained(self), input: number))
        input.countDependents(held)
    }

    // MARK: Unlinking

    /// Unlinks the node if nothing needs it, and then each node it is derived from, if that is not needed either.
    final func unlinkIfUnwanted(_ gate: Gate?) {
        var candidates: [PropertyNode] = []
        var next: PropertyNode? = self
        while let node = next ?? candidates.popLast() {
            next = nil
            if node.isRoot || !node.unlink(gate) { continue }
            node.forEachInput { _, input in
                if input.isRoot { return }
                if next == nil { next = input } else { candidates.append(input) }
            }
        }
    }

    /// Unlinks this node if nothing needs it, or if it has ended. Returns whether it has removed the node from an
    /// input.
    private final func unlink(_ gate: Gate?) -> Bool {
        // The number of references to this node that the inputs had.
        let removed = withLinkingLocks { held -> Int in
            let isUnwanted = links.wishes == 0 && links.dependents.isEmpty
            guard links.isLinked, isUnwanted || links.hasEnded else { return 0 }
            // A propagation may be about to compute the node, without a lock.
            if isPropagating(domain, held) { return 0 }
            if containsInput(where: { isPropagating($0.domain, held) }) { return 0 }
            // A node that has ended keeps its value forever.
            if !links.hasEnded {
                links.isLinked = false
                // The value is current, and cannot change while the locks are held.
                seenChanges = changesOfInputs(held)
                seen = hasManySources ? .max : hasRootsAsInputs ? seenChanges : versions
            }
            var removed = 0
            forEachInput { number, input in if remove(from: input, number, held) != nil { removed += 1 } }
            return removed
        }
        for _ in 0..<removed { Unmanaged.passUnretained(self).release(owning: gate) }
        return removed > 0
    }

    /// Returns whether a propagation is in progress in the domain. That propagation then unlinks the node afterwards.
    ///
    /// - Parameter held: The lock of `domain`.
    private final func isPropagating(_ domain: Domain, _ held: borrowing HeldLock) -> Bool {
        guard domain.propagation != nil else { return false }
        domain.state.unwanted.append(self)
        domain.state.isCrowded = true
        return true
    }

    /// Removes this node from the dependents of an input. The caller must release the returned reference outside the
    /// locks.
    ///
    /// - Parameter held: The locks of this node and of the input.
    final func remove(
        from input: PropertyNode, _ number: Int, _ held: borrowing HeldLock
    ) -> Unmanaged<PropertyNode>? {
        // Read here and no earlier: if an input occurs several times, its places change one after the other.
        let place = place(number)
        if place < 0 { return nil }
        setPlace(number, -1)
        let (removed, moved) = input.links.dependents.remove(at: place)
        if let moved { moved.node._withUnsafeGuaranteedRef { $0.setPlace(moved.input, place) } }
        input.countDependents(held)
        return removed.node
    }

    /// Removes the dependents of this node, which has ended.
    final func releaseDependents(_ garbage: inout [Unmanaged<PropertyNode>], _ held: borrowing HeldLock) {
        for dependent in links.dependents {
            dependent.node._withUnsafeGuaranteedRef { $0.setPlace(dependent.input, -1) }
            garbage.append(dependent.node)
        }
        links.dependents.removeAll()
        countDependents(held)
    }

    // The lock of the input's domain guards a place. A node with several inputs has more places.

    private final func place(_ number: Int) -> Int {
        number == 0 ? firstPlace : number == 1 ? secondPlace : morePlaces![number - 2]
    }

    private final func setPlace(_ number: Int, _ place: Int) {
        switch number {
        case 0: firstPlace = place
        case 1: secondPlace = place
        default: morePlaces![number - 2] = place
        }
    }

    private final func countDependents(_ held: borrowing HeldLock) {
        _ = dependentCount.exchange(UInt(links.dependents.count))
        dependentsHaveChanged(held)
    }
}

extension Unmanaged where Instance == PropertyNode {
    /// Releases a reference. No lock may be held. A propagation that has enqueued the node's event has entered the gate
    /// of the node's signal, but does not retain the node. In that case the node is deallocated only after the gate has
    /// been left.
    ///
    /// - Parameter gate: The gate of a signal that retains the node, if the caller owns that.
    func release(owning gate: Gate?) {
        let node = takeUnretainedValue()
        if let core = node.domain.withLock({ node.signalCore }), core.isTaken, core !== gate {
            core.push(DeferredUpkeep { core.releaseAfterLeaving(DeferredObjectRelease(node)) })
        }
        release()
    }
}

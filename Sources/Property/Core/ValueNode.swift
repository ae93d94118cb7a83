public import HotSignals

/// The values of a node.
///
/// A class of its own, which is generic in the type `Value?` and so has that type at hand. A class that is generic in
/// `Value` would ask the runtime for it whenever a node is released.
@usableFromInline
@_fixed_layout
package class ValueSlots<Slot: Sendable & ExpressibleByNilLiteral>: PropertyNode, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// Guarded by the lock. While the node is linked, the owner of the gate of its domain, or of a dependent's domain,
    /// reads it without the lock. `nil` before it has been computed.
    @exclusivity(unchecked) @usableFromInline package final var value: Slot
    /// Only for the propagation. The next value, if `staged.hasNext` says that there is one.
    @exclusivity(unchecked) @usableFromInline final var next: Slot = nil
    /// Only for the owner of the signal's gate. The value to deliver.
    @exclusivity(unchecked) @usableFromInline final var outgoing: Slot = nil
    /// Only for the owner of the signal's gate. The previous value, to release after the delivery.
    @exclusivity(unchecked) @usableFromInline final var former: Slot = nil

    @_alwaysEmitIntoClient
    init(root value: Slot, _ name: StreamName, contention: Contention, height: Int, _ behavior: consuming Behavior) {
        self.value = value
        super.init(root: name, contention: contention, height: height, behavior)
        isTrivial = _isPOD(Slot.self)
    }

    @_alwaysEmitIntoClient
    init(_ name: NodeName, from input: PropertyNode, isKept: Bool, _ behavior: consuming Behavior) {
        value = nil
        super.init(name, from: input, ending: .withAll, isKept: isKept, behavior)
        isTrivial = _isPOD(Slot.self)
    }

    @_alwaysEmitIntoClient
    override init(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending, isKept: Bool, _ behavior: consuming Behavior
    ) {
        value = nil
        super.init(name, from: inputs, ending: ending, isKept: isKept, behavior)
        isTrivial = _isPOD(Slot.self)
    }
}

/// A property's value, and the signal that reports its changes.
@usableFromInline
@_fixed_layout
package class ValueNode<Value: Sendable>: ValueSlots<Value?>, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// Guarded by the lock. The core of the signal, which `signalCore` retains.
    @exclusivity(unchecked) @usableFromInline final var coreReference: Unmanaged<Core<Value, Never>>?
    /// Only for the owner of the signal's gate. Whether the signal ends after the delivery.
    @exclusivity(unchecked) @usableFromInline final var isOutgoingLast = false
    @usableFromInline final let owner = Owner(of: "the value of a property")
    @usableFromInline final let deliveryOwner = Owner(of: "the event of a property")

    @_alwaysEmitIntoClient
    init(
        root value: Value, _ name: StreamName, contention: Contention, height: Int, compute: @escaping Compute,
        publish: @escaping Publish
    ) {
        super.init(root: value, name, contention: contention, height: height, Self.behavior(compute, publish))
    }

    /// - Parameter compute: Calls ``take(_:_:)``.
    @_alwaysEmitIntoClient
    init(_ name: NodeName, from input: PropertyNode, isKept: Bool = false, compute: @escaping Compute) {
        super.init(name, from: input, isKept: isKept, Self.behavior(compute))
    }

    @_alwaysEmitIntoClient
    init(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending = .withAll, isKept: Bool = false,
        compute: @escaping Compute
    ) {
        super.init(name, from: inputs, ending: ending, isKept: isKept, Self.behavior(compute))
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func behavior(
        _ compute: @escaping Compute,
        _ publish: @escaping Publish = { unsafeDowncast($0, to: ValueNode<Value>.self).publish($1, $2) }
    ) -> Behavior {
        Behavior(
            compute: compute, publish: publish,
            deliver: { unsafeDowncast($0, to: ValueNode<Value>.self).deliver($1) },
            perform: { unsafeDowncast($0, to: ValueNode<Value>.self).perform($1) })
    }

    @_alwaysEmitIntoClient @inline(__always)
    final func withCore<Result>(_ body: (Core<Value, Never>) -> Result) -> Result {
        coreReference.unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
    }

    @_alwaysEmitIntoClient
    final func perform(_ operation: Operation) -> Bool {
        switch operation {
        case .makeCore: _ = typedCore
        case .compute: computeOnce()
        case .evaluate(let snapshot): evaluate(in: snapshot)
        case .link: return tryToLink { hasManySources ? latestInSnapshot(isLinking: true) : latest }
        }
        return true
    }

    // MARK: Computing

    /// Stores a value that `compute` has computed.
    @_alwaysEmitIntoClient @inline(__always)
    final func take(_ new: Value, _ pull: UnsafePointer<Pull>?) -> Bool {
        if let pull {
            pull.pointee.result.assumingMemoryBound(to: Value.self).initialize(to: new)
        } else {
            next = new
        }
        return true
    }

    /// The value of this input that nodes of the same domain are computed from.
    @_alwaysEmitIntoClient @inline(__always)
    final func given(_ pull: UnsafePointer<Pull>?) -> Value {
        if let pull { return pulled(pull) }
        return (staged.hasNext ? next : value).unsafelyUnwrapped
    }

    /// The value of this input that `node` is computed from.
    @_alwaysEmitIntoClient @inline(__always)
    package final func given(to node: PropertyNode, _ pull: UnsafePointer<Pull>?) -> Value {
        pull != nil || isStaged(for: node) ? given(pull) : value.unsafelyUnwrapped
    }

    @_alwaysEmitIntoClient @inline(never)
    final func pulled(_ pull: UnsafePointer<Pull>) -> Value {
        if let snapshot = pull.pointee.snapshot { return snapshot.value(of: self) }
        if isRoot { return unsafeDowncast(self, to: RootNode<Value>.self).latestOfRoot }
        let known = domain.withLock { links.isLinked || seen != .max && seen == versions ? value : nil }
        // Otherwise a root has changed since ``computeInputs(while:)``. Computed once: another attempt for each input of
        // each node would be exponential.
        return known ?? latestInSnapshot()
    }

    /// The value, computed from the values of the inputs.
    @_alwaysEmitIntoClient
    final func computed(_ snapshot: Snapshot? = nil) -> Value {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            let result = buffer.baseAddress.unsafelyUnwrapped
            var pull = Pull(UnsafeMutableRawPointer(result), snapshot: snapshot)
            let thread = ThreadIdentity.current
            let sections = PureSection.begin(thread, self, isReading: true)
            _ = behavior.compute(self, &pull)
            let afterwards = PureSection.end(thread, sections, self)
            let new = result.move()
            afterwards?.perform()
            return new
        }
    }

    // MARK: Reading

    /// The value that readers see.
    @_alwaysEmitIntoClient
    package final var latest: Value {
        if isRoot { return unsafeDowncast(self, to: RootNode<Value>.self).latestOfRoot }
        // Like `withLock`, but without a closure, which would retain this object.
        let domain = domain
        let held = domain.acquire()
        // Whether `value` is what readers see, and no body runs that could change that.
        if links.isLinked ? !isBesideBody : seen != .max && seen == versionsAndBodies {
            owner.reads()
            return domain.release(held, returning: value.unsafelyUnwrapped)
        }
        domain.release(held)
        return latestComputed
    }

    @_alwaysEmitIntoClient @inline(never)
    final var latestComputed: Value {
        // Each of these reads all roots, of which there can be many.
        var before = versionsAndBodies
        if before & (Self.versionStep - 1) != 0 {
            refuseReading()
            before &= ~(Self.versionStep - 1)
        }
        if let known = domain.withLock({ links.isLinked || seen == before ? value : nil }) { return known }
        // With many roots, to check each of them for each input that is not a root would take too long.
        for _ in 0..<(height == 1 ? 4 : hasManySources ? 0 : 1) {
            var changes = before
            // Otherwise all inputs are roots, and one of them has changed.
            if height > 1 {
                computeInputs(while: before)
                // In this order: an input that becomes current has another version.
                let areCurrent = areInputsCurrent
                changes = changesOfInputs
                if !areCurrent || versions != before { break }
                if let former = valueIfUnchanged(before, changes) { return former }
            }
            let new = computed()
            let after = versions
            if after == before {
                keep(new, before, changes)
                return new
            }
            releaseAfterSections(new)
            before = after
        }
        return latestInSnapshot()
    }

    /// Computes the value from those of the inputs, and keeps it unless a root has changed in the meantime.
    @_alwaysEmitIntoClient
    final func computeOnce() {
        let before = versions
        // In this order, as above. An input that is not current would get its new version only with the computation: the
        // new value would be kept as that of the old version.
        guard areInputsCurrent else { return }
        let changes = changesOfInputs
        if versions != before || valueIfUnchanged(before, changes) != nil { return }
        let new = computed()
        if versions == before { keep(new, before, changes) }
        releaseAfterSections(new)
    }

    /// The value at one moment, computed if necessary.
    @_alwaysEmitIntoClient @inline(never)
    final func latestInSnapshot(isLinking: Bool = false) -> Value {
        // A node that is linked has no use for them, and need not list its roots.
        let before = isLinking ? .max : versions
        let snapshot = Snapshot(of: self)
        let new = snapshot.value(of: self)
        if !isLinking, versions == before {
            let version = snapshot.version(of: self)
            domain.withLock { if !links.isLinked, changes == version { seen = before } }
        }
        PureSection.release(snapshot)
        return new
    }

    /// Adds the value to a snapshot that has those of the inputs.
    @_alwaysEmitIntoClient
    final func evaluate(in snapshot: Snapshot) {
        let changes = snapshot.changesOfInputs(of: self)
        let known = domain.withLock { () -> (Value, UInt)? in
            if links.isLinked || seenChanges != changes { return nil }
            return value.map { ($0, self.changes) }
        }
        if let (value, version) = known { return snapshot.add(value, version, of: self) }
        let new = computed(snapshot)
        // Usually nobody asks for the value of a node between others.
        let versions = hasRootsAsInputs ? changes ?? .max : .max
        let kept = changes.flatMap { keep(new, versions, $0) }
        snapshot.add(kept?.value ?? new, kept?.version, of: self)
        if kept != nil { releaseAfterSections(new) }
    }

    /// Call it with a value that a reader drops, who may be a closure or a body.
    @_alwaysEmitIntoClient @inline(__always)
    final func releaseAfterSections(_ dropped: Value?) {
        if _isPOD(Value.self) || !domain.sections.mayContain(ThreadIdentity.current) { return }
        if let dropped { PureSection.release(dropped) }
    }

    /// Caches a value until a root changes. Returns what is cached and its version: this value, or one that another
    /// thread has computed from the same values. `nil` if the value has not been cached.
    @_alwaysEmitIntoClient @discardableResult
    final func keep(_ new: Value, _ versions: UInt, _ changesOfInputs: UInt) -> (value: Value, version: UInt)? {
        var former: Value?
        let kept = domain.withLock { held -> (Value, UInt)? in
            if links.isLinked { return nil }
            if seenChanges == .max || Int(bitPattern: changesOfInputs &- seenChanges) > 0 {
                owner.writes()
                former = value
                value = new
                (seen, seenChanges) = (versions, changesOfInputs)
                countChange(held)
            } else if seenChanges != changesOfInputs {
                // Must not replace a newer value that another thread has cached.
                return nil
            }
            return value.map { ($0, changes) }
        }
        releaseAfterSections(former)
        return kept
    }

    /// Returns the value if a root has changed, but none of the inputs has.
    @_alwaysEmitIntoClient
    final func valueIfUnchanged(_ versions: UInt, _ changesOfInputs: UInt) -> Value? {
        domain.withLock {
            guard !links.isLinked, value != nil, seenChanges == changesOfInputs else { return nil }
            seen = versions
            return value
        }
    }

    /// The value of a linked node, also in a body of what it is derived from.
    final var known: Value { domain.withLock { value.unsafelyUnwrapped } }

    override func visibleValue(_ held: borrowing HeldLock) -> (any Sendable)? { value }

    override func discardNext() {
        super.discardNext()
        releaseAfterSections(next)
        next = nil
    }

    // MARK: Linking

    /// - Parameter compute: Computes the value from those of the inputs.
    @_alwaysEmitIntoClient
    final func tryToLink(_ compute: () -> Value) -> Bool {
        let changes = changesOfInputs
        var new: Value? = compute()
        let isDone = link(ifStill: changes) { held in
            if seenChanges == changes { return }
            owner.writes()
            swap(&value, &new)
            countChange(held)
        }
        // Released with no lock held, and no domain owned.
        releaseAfterSections(new)
        return isDone
    }

    // MARK: The signal

    /// The core of the signal. Created if there is none.
    @_alwaysEmitIntoClient @inline(never)
    package final var typedCore: Core<Value, Never> {
        if let core = domain.withLock({ coreReference?.takeUnretainedValue() }) { return core }
        let new = Core<Value, Never>(rootNamed: streamName, contention: contention)
        return domain.withLock {
            if let core = coreReference { return core.takeUnretainedValue() }
            if links.hasEnded { new.terminated.raise() }
            coreReference = .passUnretained(new)
            signalCore = new
            return new
        }
    }

    /// Returns the only handle of the signal. Created if there is none.
    ///
    /// - Parameters:
    ///   - handle: Holds a retained reference to it.
    ///   - isRetaining: Whether the signal retains the node.
    @_alwaysEmitIntoClient @inline(never)
    final func signal(in handle: borrowing AtomicWord, isRetaining: Bool = true) -> Signal<Value, Never> {
        let core = typedCore
        return domain.withLock { held in
            if let signal = Signal<Value, Never>.held(by: handle) { return signal }
            if isRetaining { watch(core, held) }
            let signal = Signal(core: core)
            _ = handle.exchange(UInt(bitPattern: Unmanaged.passRetained(signal).toOpaque()))
            return signal
        }
    }
}

extension Signal {
    /// The signal whose address a word holds; `nil` if the word is 0.
    @_alwaysEmitIntoClient
    static func held(by handle: borrowing AtomicWord) -> Signal? {
        UnsafeRawPointer(bitPattern: handle.load()).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
}

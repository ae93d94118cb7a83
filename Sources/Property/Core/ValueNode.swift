public import HotSignals

/// A property's value, and the signal that tells of its changes.
@usableFromInline
@_fixed_layout
package class ValueNode<Value: Sendable>: PropertyNode, @unchecked Sendable {
    // Sendable: as the base class.

    /// Lock; while it is linked, whoever owns the gate of the domain, or of that of a dependent, reads it without. Nil before it has been
    /// computed.
    @exclusivity(unchecked) @usableFromInline package final var value: Value?
    /// Lock. The core of the signal, which `signalCore` holds.
    @exclusivity(unchecked) @usableFromInline final var coreReference: Unmanaged<Core<Value, Never>>?
    /// Turn.
    @exclusivity(unchecked) @usableFromInline final var next: Value?
    /// Owner of the signal's gate. What is to be delivered.
    @exclusivity(unchecked) @usableFromInline final var outgoing: Value?
    /// Owner of the signal's gate. What is to be let go of after that.
    @exclusivity(unchecked) @usableFromInline final var former: Value?
    /// Owner of the signal's gate. Whether the signal ends after that.
    @exclusivity(unchecked) @usableFromInline final var isOutgoingLast = false
    @usableFromInline final let owner = Owner(of: "the value of a property")
    @usableFromInline final let deliveryOwner = Owner(of: "the event of a property")

    @inlinable
    init(
        root value: Value, _ core: Core<Value, Never>, height: Int, compute: @escaping Compute,
        publish: @escaping Publish
    ) {
        self.value = value
        coreReference = .passUnretained(core)
        super.init(
            root: core, height: height, compute: compute, publish: publish,
            deliver: { unsafeDowncast($0, to: ValueNode<Value>.self).deliver($1) })
    }

    /// - Parameter compute: Calls ``take(_:_:)``.
    @inlinable
    init(_ name: NodeName, from input: PropertyNode, isKept: Bool = false, compute: @escaping Compute) {
        super.init(
            name, from: input, ending: .withAll, isKept: isKept, compute: compute,
            publish: { unsafeDowncast($0, to: ValueNode<Value>.self).publish($1) },
            deliver: { unsafeDowncast($0, to: ValueNode<Value>.self).deliver($1) })
        isTrivial = _isPOD(Value.self)
    }

    @inlinable
    init(
        _ name: NodeName, from inputs: [PropertyNode], ending: Ending = .withAll, isKept: Bool = false,
        compute: @escaping Compute
    ) {
        super.init(
            name, from: inputs, ending: ending, isKept: isKept, compute: compute,
            publish: { unsafeDowncast($0, to: ValueNode<Value>.self).publish($1) },
            deliver: { unsafeDowncast($0, to: ValueNode<Value>.self).deliver($1) })
        isTrivial = _isPOD(Value.self)
    }

    @inlinable @inline(__always)
    final func withCore<Result>(_ body: (Core<Value, Never>) -> Result) -> Result {
        coreReference.unsafelyUnwrapped._withUnsafeGuaranteedRef(body)
    }

    // MARK: Computing

    /// Takes what `compute` has computed.
    @inlinable @inline(__always)
    final func take(_ new: Value, _ pull: UnsafePointer<Pull>?) -> Bool {
        if let pull {
            pull.pointee.result.assumingMemoryBound(to: Value.self).initialize(to: new)
        } else {
            next = new
        }
        return true
    }

    /// As an input, the value that nodes of the same domain are computed from.
    @inlinable @inline(__always)
    final func given(_ pull: UnsafePointer<Pull>?) -> Value {
        if let pull { return pulled(pull) }
        if let next { return next }
        return value.unsafelyUnwrapped
    }

    /// As an input, the value that `node` is computed from.
    @inlinable @inline(__always)
    package final func given(to node: PropertyNode, _ pull: UnsafePointer<Pull>?) -> Value {
        pull != nil || isStaged(for: node) ? given(pull) : value.unsafelyUnwrapped
    }

    @inlinable @inline(never)
    final func pulled(_ pull: UnsafePointer<Pull>) -> Value {
        if let snapshot = pull.pointee.snapshot { return snapshot.value(of: self) }
        return pull.pointee.isPublished ? published : latest
    }

    /// The value, computed from those of the inputs.
    @inlinable
    final func computed(isPublished: Bool, _ snapshot: Snapshot? = nil) -> Value {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            let result = buffer.baseAddress.unsafelyUnwrapped
            var pull = Pull(UnsafeMutableRawPointer(result), isPublished: isPublished, snapshot: snapshot)
            _ = compute(self, &pull)
            return result.move()
        }
    }

    // MARK: Reading

    /// The value, as everybody sees it.
    @inlinable
    package final var latest: Value {
        if isRoot { return unsafeDowncast(self, to: RootNode<Value>.self).latestOfRoot }
        // As `withLock`, but for a closure, which would retain this object.
        let domain = domain
        domain.lock.lock()
        if links.isLinked ? !isOvertaken : seen == versions {
            owner.reads()
            let value = value.unsafelyUnwrapped
            domain.lock.unlock()
            return value
        }
        domain.lock.unlock()
        return latestComputed
    }

    @inlinable @inline(never)
    final var latestComputed: Value {
        // What has a memory has what its last turn has left.
        if isKept { return domain.withLock { value.unsafelyUnwrapped } }
        for _ in 0..<4 {
            let before = versions
            computeInputs()
            let changes = changesOfInputs
            guard versions == before else { continue }
            if let former = valueIfUnchanged(before, changes) { return former }
            let new = computed(isPublished: false)
            if versions == before {
                keep(new, before, changes)
                return new
            }
        }
        return computed(isPublished: false, Snapshot(of: self))
    }

    /// Keeps a value until a root changes.
    @inlinable
    final func keep(_ new: Value, _ versions: UInt, _ changesOfInputs: UInt) {
        var former: Value?
        domain.withLock {
            // Not an older one than another thread has kept.
            guard !links.isLinked, seen == .max || Int(bitPattern: versions &- seen) > 0 else { return }
            owner.writes()
            former = value
            value = new
            (seen, seenChanges) = (versions, isOvertaken ? .max : changesOfInputs)
            changes &+= 1
        }
        withExtendedLifetime(former) {}
    }

    /// The value, if a root has changed, but none of the inputs has.
    @inlinable
    final func valueIfUnchanged(_ versions: UInt, _ changesOfInputs: UInt) -> Value? {
        domain.withLock {
            guard !links.isLinked, value != nil, seenChanges == changesOfInputs, !isOvertaken else { return nil }
            seen = versions
            return value
        }
    }

    @usableFromInline
    override func computeForReaders() { _ = latest }

    /// The value that the last turn has left, or would have if this were linked.
    @inlinable
    package final var published: Value {
        if isRoot { return unsafeDowncast(self, to: RootNode<Value>.self).publishedOfRoot }
        let found = domain.withLock { links.isLinked ? value : nil }
        return found ?? computed(isPublished: true)
    }

    override var visibleValue: Any? { value }

    override func discardNext() {
        super.discardNext()
        next = nil
    }

    // MARK: Linking

    @usableFromInline
    override func tryToLink() -> Bool {
        tryToLink { isOvertaken ? computed(isPublished: true) : latest }
    }

    /// - Parameter compute: Computes the value from those that the inputs have published.
    @inlinable
    final func tryToLink(_ compute: () -> Value) -> Bool {
        let versions = versions
        var new: Value? = compute()
        let isDone = link(ifStill: versions) {
            if seen == versions, value != nil, !isOvertaken { return }
            owner.writes()
            swap(&value, &new)
            changes &+= 1
        }
        // With no lock held.
        withExtendedLifetime(new) {}
        return isDone
    }

    // MARK: The signal

    @usableFromInline
    override func namedCore() -> SignalCore { typedCore }

    /// The core of the signal, which is made if there is none.
    @usableFromInline
    final var typedCore: Core<Value, Never> {
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

    /// The one handle of the signal, which is made if there is none. It holds the node.
    ///
    /// - Parameter handle: Where it lies, with a reference.
    @usableFromInline
    final func signal(in handle: borrowing AtomicWord) -> Signal<Value, Never> {
        let core = typedCore
        return domain.withLock {
            if let signal = Signal<Value, Never>.held(by: handle) { return signal }
            watch(core)
            let signal = Signal(core: core)
            _ = handle.exchange(UInt(bitPattern: Unmanaged.passRetained(signal).toOpaque()))
            return signal
        }
    }
}

extension Signal {
    /// The signal that a word has the address of; nil if it is 0.
    @inlinable
    static func held(by handle: borrowing AtomicWord) -> Signal? {
        UnsafeRawPointer(bitPattern: handle.load()).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The untyped part of a signal: its place in the graph, its slots, and its end.
///
/// # Ownership
/// - An input observer and a receiver's sink retain the core downstream. A core retains its receivers and, through its
///   name, the core upstream. So a core and its upstream retain each other while they are attached.
/// - Liveness breaks that cycle, not reference counting: a signal lives while its handle (``Signal``) is retained or
///   something observes it. The handle's `deinit` and the removal of a receiver check whether neither is the case. Then
///   the signal ends silently and detaches from its upstream, which may end in turn. A terminal event detaches it as
///   well.
@usableFromInline
package class SignalCore: Gate, StartHead, @unchecked Sendable {
    // Sendable: state that is neither atomic nor constant is accessed only by the owner of `gate`, or under a lock.

    // The order of the fields keeps the object small: the flags fill the rest of the base class's last word.
    @usableFromInline package final let terminated: AtomicFlag
    /// The number of receivers whose additions are in the inbox of the gate.
    private final let additions = PendingCount()
    @exclusivity(unchecked) @usableFromInline final var flags: Flags
    /// The number of receivers in place.
    @usableFromInline final let liveCount = AtomicCount(0)
    /// The gate that serializes this signal: its own, or that of the root from which it is derived. Written only in
    /// `init`.
    ///
    /// Unmanaged: the chain of names retains the root, and a root is its own gate.
    @exclusivity(unchecked) @usableFromInline final private(set) var gateReference: Unmanaged<Gate>
    @exclusivity(unchecked) @usableFromInline final var slots = Slots()
    /// This core's receiver in the slots of its upstream, while it is attached.
    @exclusivity(unchecked) private final var upstreamReceiver: Unmanaged<AnyReceiver>?
    /// What ends with the signal. Created on demand.
    @exclusivity(unchecked) private final var resources: Lifetime?
    /// The state of the operator whose result this is. Set before other code can reach the core.
    @exclusivity(unchecked) @usableFromInline package final var state: (any OperatorState)?
    @usableFromInline package final let name: StreamName
    /// For a root. What ``scheduler`` returns for all cores that it serializes.
    private final let rootScheduler: (any Scheduler)?
    /// For a root. What ``senders`` returns for all cores that it serializes.
    private final let rootSenders: SenderQueue?
    /// The name given by the user. Guarded by `naming`.
    @exclusivity(unchecked) private final var label: Label?
    /// A ``SignalWatcher``, with one retained reference, until the signal can no longer be observed.
    private final let watcher = AtomicWord(0)

    /// One lock for all signals, because names are rarely set or read.
    ///
    /// The state is unused, but for a state of size zero the thread sanitizer mistakes the mutex beside it for the
    /// state.
    private static let naming = Locked(false)

    /// - Parameters:
    ///   - rootGate: The gate that serializes this core, or `nil` to create one.
    ///   - scheduler: What ``scheduler`` returns. A core with a root uses the root's, as for `senders`.
    @usableFromInline
    init(
        name: consuming StreamName, rootGate: Unmanaged<Gate>?, contention: Contention,
        scheduler: consuming (any Scheduler)? = nil, senders: consuming SenderQueue? = nil, isTerminated: Bool
    ) {
        // Otherwise they are retained here, and released at the end.
        self.name = consume name
        rootScheduler = consume scheduler
        rootSenders = consume senders
        terminated = AtomicFlag(isTerminated)
        // Read before the superclass is initialized: otherwise `self` is retained for the call, made or not.
        let isRecorded = GraphHook.isOn.isOn
        // `[.isHandleHeld, .hasOnlyValueReceivers]`
        flags = Flags(rawValue: 3)
        // `self` is not available yet. For a root this is a placeholder, not a reference, and is replaced below.
        gateReference = rootGate ?? .fromOpaque(UnsafeRawPointer(bitPattern: 16)!)
        super.init(contention: contention)
        if rootGate == nil { gateReference = .passUnretained(self) }
        let address = GraphHook.address(of: self)
        if isRecorded { GraphHook.appeared(at: address) }
    }

    deinit {
        if GraphHook.isOn.hasBeenOn { GraphHook.left(self) }
        slots.deallocate()
        unwatch()?.release()
    }

    @inlinable @inline(__always)
    package final var gate: Gate { gateReference._withUnsafeGuaranteedRef { $0 } }

    /// Whether the caller is inside the gate. (Unlike with ``gate``, nothing is retained.)
    private final var isGateOwned: Bool { gateReference._withUnsafeGuaranteedRef { $0.isOwnedByCaller } }

    /// The core from which this one is derived.
    private final var upstream: SignalCore? { name.parent as? SignalCore }

    /// The number of receivers in place. Changed only by the owner of the gate.
    @inlinable @inline(__always)
    final var live: Int32 {
        get { liveCount.value }
        set { liveCount.set(newValue) }
    }

    /// The number of observers and derived signals in place. Approximate if read on another thread.
    package final var observerCount: Int { Int(liveCount.value) }

    /// Only for the owner of the gate.
    @frozen @usableFromInline
    struct Flags: OptionSet {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @_alwaysEmitIntoClient static var isHandleHeld: Flags { Flags(rawValue: 1) }
        @inlinable static var hasOnlyValueReceivers: Flags { Flags(rawValue: 2) }
    }

    private final var isHandleHeld: Bool {
        get { flags.contains(.isHandleHeld) }
        set { if newValue { flags.insert(.isHandleHeld) } else { flags.remove(.isHandleHeld) } }
    }

    /// Whether every receiver has one closure for values, which is usual if there are many. A delivery then need not
    /// check.
    @inlinable @inline(__always)
    final var hasOnlyValueReceivers: Bool {
        get { flags.rawValue & Flags.hasOnlyValueReceivers.rawValue != 0 }
        set {
            let bit = Flags.hasOnlyValueReceivers.rawValue
            flags = Flags(rawValue: newValue ? flags.rawValue | bit : flags.rawValue & ~bit)
        }
    }

    /// Whether the signal is neither retained nor observed, and has not ended.
    private final var isForgotten: Bool { !isHandleHeld && live == 0 && !terminated.isRaised }

    /// Only for the owner of the gate. Whether no further events are needed: either the signal has ended, or everything
    /// that kept it alive has released it during the delivery, and it will end after that.
    @_alwaysEmitIntoClient @inline(__always)
    final var wantsNoMore: Bool { terminated.isRaised || (gate.mayHaveOperations && isAbandoned) }

    @usableFromInline
    final var isAbandoned: Bool {
        if isHandleHeld { return false }
        var isWanted = false
        slots.visit { isWanted = isWanted || $0.wantsMore }
        return !isWanted
    }

    // MARK: The scheduler

    /// The scheduler on which an interruption must be delivered. An operator that takes a scheduler sets it, and
    /// operators downstream inherit the scheduler of their first input. If it is `nil`, the disposing thread delivers
    /// the interruption.
    @usableFromInline
    package final var scheduler: (any Scheduler)? { withRoot { $0.rootScheduler } }

    private final func withRoot<Result>(_ body: (SignalCore) -> Result) -> Result {
        // A gate that serializes cores is the gate of a root.
        gateReference._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: SignalCore.self)) }
    }

    /// The senders that consumers of this signal can suspend, or `nil` if there are none. An operator with a gate of
    /// its own either passes its source's on, or decouples its result from the senders.
    @usableFromInline
    package final var senders: SenderQueue? { withRoot { $0.rootSenders } }

    // MARK: Resources that end with the signal

    /// The lifetime of the signal. Call only during construction, before other code can reach the signal, or under a
    /// lock of its owner, which knows that the signal has not ended.
    @usableFromInline
    package final func makeLifetime() -> Lifetime {
        if let resources { return resources }
        let lifetime = Lifetime()
        resources = lifetime
        return lifetime
    }

    // MARK: Work that runs only while the signal is observed

    /// Sets the watcher that is notified of observers. Call once, during construction.
    package final func beWatched(by watcher: SignalWatcher) {
        _ = self.watcher.exchange(UInt(bitPattern: Unmanaged.passRetained(watcher).toOpaque()))
    }

    /// Notifies the watcher that a receiver is about to be added. The caller retains the signal, and with it the
    /// watcher.
    @usableFromInline
    package final func beginObserving() {
        if let watcher = Self.watcher(watcher.load()) { watcher._withUnsafeGuaranteedRef { $0.begin($0.subject) } }
    }

    /// Only for the owner of the gate. Notifies the watcher that a receiver announced by ``beginObserving()`` is gone.
    @usableFromInline
    package final func endObserving() {
        if let watcher = Self.watcher(watcher.load()) {
            watcher._withUnsafeGuaranteedRef { $0.end($0.subject, gate) }
        }
    }

    /// Only for the owner of the gate. Releases the watcher, because the signal can no longer be observed.
    private final func releaseWatcher() {
        if let watcher = unwatch() { gate.releaseAfterLeaving(watcher.takeRetainedValue()) }
    }

    private final func unwatch() -> Unmanaged<SignalWatcher>? { Self.watcher(watcher.exchange(0)) }

    private static func watcher(_ bits: UInt) -> Unmanaged<SignalWatcher>? {
        UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
    }

    // MARK: Observing

    /// Adds a receiver for an observer: now, or after the event in flight if the gate is taken.
    ///
    /// Returns `nil` if the signal has ended. In that case the receiver has received its one `interrupted`.
    @usableFromInline
    final func observe(_ receiver: AnyReceiver, _ observation: Observation) -> Observation? {
        beginObserving()
        let thread = ThreadIdentity.current
        if gate.enterPassively(thread) {
            defer { gate.leavePassively(thread) }
            guard !terminated.isRaised else {
                receiver.receiveInterrupted()
                return nil
            }
            append(receiver)
            observation.setReceiver(.passUnretained(receiver))
            return observation
        }
        // After the end the watcher is not notified of removals.
        if terminated.isRaised {
            // At once, not in the gate: it may be taken by a delivery that waits for what the caller holds.
            receiver.receiveInterrupted()
            return nil
        }
        observation.setReceiver(.passRetained(receiver))
        additions.increment()
        observation.pushAddition()
        return observation
    }

    /// Only for the owner of the gate. Completes an addition that went through the inbox.
    ///
    /// - Parameter isWanted: Whether the observation has not been disposed of meanwhile.
    final func add(_ observation: Observation, isWanted: Bool) {
        additions.decrement()
        guard isWanted else {
            observation.takeReceiver().map { gate.releaseAfterLeaving($0.takeRetainedValue()) }
            // After the end, another thread may release the watcher.
            if !terminated.isRaised { endObserving() }
            return
        }
        guard let receiver = observation.receiver else { return }
        if terminated.isRaised {
            _ = observation.takeReceiver()
            // Another thread may be the one that observes, and this thread's task-locals are not meant for it.
            CapturedContext.runWithout { receiver._withUnsafeGuaranteedRef { $0.receiveInterrupted() } }
            gate.releaseAfterLeaving(receiver.takeRetainedValue())
        } else {
            append(receiver.takeRetainedValue())
        }
    }

    /// Only for the owner of the gate. Removes the observation's receiver and passes its reference to the caller, which
    /// releases it after leaving the gate. Ends the signal if it is no longer needed.
    final func remove(_ observation: Observation) -> Unmanaged<AnyReceiver>? {
        guard let receiver = observation.takeReceiver() else { return nil }
        takeOut(receiver)
        if isForgotten { PassiveSection.run { endSilently() } }
        return receiver
    }

    // MARK: Deriving

    /// Attaches an operator's receiver. `downstream` is the core to which the operator sends.
    @usableFromInline
    final func attach(_ receiver: AnyReceiver, downstream: SignalCore) {
        beginObserving()
        let thread = ThreadIdentity.current
        if gate.enterPassively(thread) {
            attachAsOwner(receiver, downstream)
            gate.leavePassively(thread)
        } else if terminated.isRaised, isGateOwned {
            // At once, like an observer that is added while the terminal event is being delivered.
            receiver.receiveInterrupted()
        } else {
            additions.increment()
            pushPassively {
                self.additions.decrement()
                self.attachAsOwner(receiver, downstream)
            }
        }
    }

    /// Attaches a receiver of which the watcher has been notified. Only for the owner of the gate.
    @usableFromInline
    final func attachAsOwner(_ receiver: AnyReceiver, _ downstream: SignalCore) {
        if terminated.isRaised {
            receiver.receiveInterrupted()
        } else if !downstream.terminated.isRaised {
            append(receiver)
            downstream.upstreamReceiver = .passUnretained(receiver)
        } else {
            endObserving()
        }
        if isForgotten { endSilently() }
    }

    /// What a sender does if it finds this signal's gate taken.
    @_alwaysEmitIntoClient
    package final var gateContention: Contention { gate.contention }

    /// Whether the signal is observed. May wait for the gate.
    @usableFromInline
    package final var isObserved: Bool {
        let thread = ThreadIdentity.current
        // The caller is inside the gate, waiting would close a cycle, or the contention does not allow waiting.
        guard gate.enter(thread) else { return false }
        defer { gate.leave(thread) }
        return live > 0
    }

    /// Whether the gate is idle and the signal has no receivers, so that a value sent now reaches nothing. Only for a
    /// core with its own gate.
    ///
    /// A thread that observes and then causes something to be sent has already been counted.
    @inlinable @inline(__always)
    package final var isUnobserved: Bool { word.load() == 0 && live == 0 }

    // MARK: As the head of a producer's chain

    /// Adds the first receiver, to a core that no other code can reach yet.
    @inlinable
    final func adopt(_ receiver: AnyReceiver) {
        slots.begin(with: receiver)
        hasOnlyValueReceivers = receiver.kind == .values
        live = 1
    }

    /// Marks the core as having no handle, so that it is needed only as long as its receiver wants more events.
    @usableFromInline
    package final func beHeldByNobody() { isHandleHeld = false }

    /// Makes a delivery in flight check whether further events are needed: see ``wantsNoMore``.
    @usableFromInline
    package final func reconsider() { gate.alertOwner() }

    /// Sends `interrupted` on the scheduler that delivers the events, unless the signal has ended. Without a scheduler,
    /// now, or after the event in flight if the gate is taken.
    @usableFromInline @discardableResult
    package final func interrupt() -> Bool {
        guard scheduler != nil else {
            releaseInput()
            return false
        }
        if !terminated.isRaised {
            // As a sender, which waits for a visitor. Otherwise a thread of the library would deliver it.
            _ = scheduler?.schedule { if !self.terminated.isRaised { self.perform { self.interruptAsOwner() } } }
        }
        return true
    }

    /// Ends the signal without an event: now, or if another thread owns the gate, when that thread leaves it.
    @usableFromInline
    package final func cutOff() {
        guard !terminated.isRaised else {
            // The end is being delivered. What the operator stores must be free before another start begins.
            if isGateOwned { state.take()?.clear() }
            return
        }
        if isGateOwned { return cutOffAsOwner() }
        actPassively { self.cutOffAsOwner() }
    }

    private final func cutOffAsOwner() {
        if terminated.raise() { tearDown() }
    }

    // MARK: Ending

    /// Called when the handle has been released. Never waits, because a `deinit` calls it.
    @usableFromInline
    final func releaseHandle() {
        guard !terminated.isRaised else {
            unwatch()?.release()
            return
        }
        let thread = ThreadIdentity.current
        guard gate.enterPassively(thread) else {
            // This lets the delivery in flight notice: see `wantsNoMore`. Not while the addition of an observer may be
            // pending.
            if isGateOwned, additions.isEmpty { isHandleHeld = false }
            return pushPassively { self.releaseHandleAsOwner() }
        }
        releaseHandleAsOwner()
        gate.leavePassively(thread)
    }

    private final func releaseHandleAsOwner() {
        isHandleHeld = false
        if isForgotten { PassiveSection.run { endSilently() } }
        if terminated.isRaised { releaseWatcher() }
    }

    /// Called when the input observer has been released, so that nothing more can be sent. Never waits, because a
    /// `deinit` calls it.
    @usableFromInline
    final func releaseInput() {
        guard !terminated.isRaised else { return }
        actPassively { self.interruptAsOwner() }
    }

    /// Runs `work` as the owner of the gate, in a passive section: now, or in order if the gate is taken.
    @usableFromInline
    final func actPassively(_ work: @escaping @Sendable () -> Void) {
        PassiveSection.run {
            let thread = ThreadIdentity.current
            if gate.enterPassively(thread) {
                work()
                gate.leavePassively(thread)
            } else {
                gate.push(DeferredWork(work))
            }
        }
    }

    /// The scheduler that delivers all events performs what has been left, in place of a thread of the library: a
    /// disposal on a thread of the scheduler has left it, which could not wait for another visitor.
    package override final func performLeft() {
        guard contention == .wait, let scheduler, !scheduler.hasNoThread else { return super.performLeft() }
        let released = ReleasedAction { [self] in LibraryThread.run { self.settle(.left) } }
        _ = scheduler.schedule { [self] in
            settle(.left)
            withExtendedLifetime(released) {}
        }
    }

    private final func pushPassively(_ work: @escaping @Sendable () -> Void) {
        PassiveSection.run { gate.push(DeferredWork(work)) }
    }

    @usableFromInline
    func interruptAsOwner() { preconditionFailure("SignalCore is abstract") }

    /// Adds an observer that does not know the types.
    @usableFromInline
    package func observeErased(
        _ action: @escaping @Sendable (Event<any Sendable, any Error>) -> Void
    ) -> (any Disposable)? {
        preconditionFailure("SignalCore is abstract")
    }

    /// Only for the owner of the gate. Completes the end, after a terminal event has reached every receiver.
    @usableFromInline
    final func tearDown() {
        slots.removeAll { receiver in
            _ = receiver.observation?.takeReceiver()
            gate.releaseAfterLeaving(receiver)
        }
        live = 0
        if !isHandleHeld { releaseWatcher() }
        release()?.endSilently()
    }

    /// Only for the owner of the gate. Ends a signal that is neither retained nor observed, and every upstream that is
    /// thereby no longer needed, without an event.
    private final func endSilently() {
        var forgotten: SignalCore? = self
        while let core = forgotten {
            core.terminated.raise()
            forgotten = core.release()
            core.releaseWatcher()
        }
    }

    /// Disposes of the signal's resources and detaches it. Returns the upstream if that is now neither retained nor
    /// observed.
    private final func release() -> SignalCore? {
        state.take()?.clear()
        resources.take()?.end()
        guard let receiver = upstreamReceiver.take(), let upstream else { return nil }
        // An upstream that has ended releases its receivers itself.
        guard !upstream.terminated.isRaised else { return nil }
        upstream.takeOut(receiver)
        gate.releaseAfterLeaving(receiver.takeRetainedValue())
        return upstream.isForgotten ? upstream : nil
    }

    // MARK: Slots

    private final func append(_ receiver: AnyReceiver) {
        if live == 0 { hasOnlyValueReceivers = true }
        if receiver.kind != .values { hasOnlyValueReceivers = false }
        slots.append(receiver, live: live)
        live += 1
    }

    /// Passes the reference to the caller.
    private final func takeOut(_ receiver: Unmanaged<AnyReceiver>) {
        slots.remove(receiver)
        live -= 1
        endObserving()
    }

    // MARK: The name

    /// The name that the user gave last, or `nil` if there is none.
    final var givenName: Label? { Self.naming.withLock { _ in label } }

    /// Names the signal. Can be called from any thread. The last name wins.
    final func setName(_ text: String, _ location: CodeLocation) {
        let new = Label(text, location)
        // The former label is released outside the lock.
        _ = Self.naming.withLock { _ in
            let former = label
            label = new
            return former
        }
    }
}

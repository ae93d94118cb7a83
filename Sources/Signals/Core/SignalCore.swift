/// The part of a signal that does not depend on its type: its place in the graph, its slots, its end.
///
/// # Who keeps whom alive
/// - An input observer and a receiver's sink hold the core downstream; a core holds its receivers and, through its name,
///   the core upstream. So a core and its upstream hold each other while they are attached.
/// - What breaks that cycle is liveness, not reference counts: a signal lives while its handle (``Signal``) is held or
///   somebody observes it. The handle's `deinit` and the removal of a receiver look whether neither is the case; then
///   the signal ends silently and detaches from its upstream, which may end in turn. A terminal event detaches as well.
@usableFromInline
package class SignalCore: Gate, RunHead, @unchecked Sendable {
    // Sendable: what is neither atomic nor constant is touched by the owner of `gate` only.

    // The order of the fields keeps the object small: the flags fill what the base class leaves of a word.
    @usableFromInline package final let terminated: AtomicFlag
    /// Receivers whose additions are in the inbox of the gate.
    private final let additions = AtomicTally()
    @exclusivity(unchecked) @usableFromInline final var flags: Flags = [.isHandleHeld, .hasOnlyValueReceivers]
    /// Receivers in place.
    @usableFromInline final let liveCount = AtomicCount(0)
    /// The gate that serialises this signal: its own, or that of the root that it is derived from. Written in `init`.
    ///
    /// Unmanaged: the name's chain keeps the root alive, and a root is its own.
    @exclusivity(unchecked) @usableFromInline final private(set) var gateReference: Unmanaged<Gate>
    @exclusivity(unchecked) @usableFromInline final var slots = Slots()
    /// This core's receiver in the slots of its upstream, while it is attached.
    @exclusivity(unchecked) private final var upstreamReceiver: Unmanaged<AnyReceiver>?
    /// What ends with the signal; made when somebody asks for it.
    @exclusivity(unchecked) private final var resources: Lifetime?
    @usableFromInline package final let name: StreamName
    /// Where a root delivers, if a scheduler was given for it or for its first input: a `Scheduler`, in one word.
    private final let ownScheduler: AnyObject?
    /// The name that a user gave. Guarded by `naming`.
    @exclusivity(unchecked) private final var label: Label?
    /// A ``SignalWatcher``, with a reference of its own, until nobody can observe the signal any more.
    private final let watcher = AtomicWord(0)

    /// One lock for all signals: names are given and read seldom.
    ///
    /// What it holds is of no use, but the thread sanitizer takes a state of no size for the mutex beside it.
    private static let naming = Locked(false)

    /// - Parameters:
    ///   - root: The core whose gate serialises this one; nil for a gate of its own.
    ///   - scheduler: See ``schedulerObject``. A core with a root shares that of the root.
    @usableFromInline
    init(
        name: StreamName, root: SignalCore?, contention: Contention, scheduler: AnyObject? = nil, isTerminated: Bool
    ) {
        self.name = name
        ownScheduler = scheduler
        terminated = AtomicFlag(isTerminated)
        // `self` cannot be named yet; a root replaces this, which is no reference at all, below.
        gateReference = root?.gateReference ?? .fromOpaque(UnsafeRawPointer(bitPattern: 16)!)
        super.init(contention: contention)
        if root == nil { gateReference = .passUnretained(self) }
    }

    deinit {
        slots.deallocate()
        unwatch()?.release()
    }

    @inlinable @inline(__always)
    package final var gate: Gate { gateReference._withUnsafeGuaranteedRef { $0 } }

    /// The core that this one is derived from.
    private final var upstream: SignalCore? { name.parent as? SignalCore }

    /// Receivers in place. Changed by the owner only.
    @inlinable @inline(__always)
    final var live: Int32 {
        get { liveCount.value }
        set { liveCount.set(newValue) }
    }

    /// How many observers and derived signals are in place, as far as another thread can tell.
    package final var observerCount: Int { Int(liveCount.value) }

    /// For the owner of the gate.
    @frozen @usableFromInline
    struct Flags: OptionSet {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inlinable static var isHandleHeld: Flags { Flags(rawValue: 1) }
        @inlinable static var hasOnlyValueReceivers: Flags { Flags(rawValue: 2) }
    }

    private final var isHandleHeld: Bool {
        get { flags.contains(.isHandleHeld) }
        set { if newValue { flags.insert(.isHandleHeld) } else { flags.remove(.isHandleHeld) } }
    }

    /// Whether every receiver is a closure for values, as is usual where there are many: a delivery then need not ask.
    @inlinable @inline(__always)
    final var hasOnlyValueReceivers: Bool {
        get { flags.rawValue & Flags.hasOnlyValueReceivers.rawValue != 0 }
        set {
            let bit = Flags.hasOnlyValueReceivers.rawValue
            flags = Flags(rawValue: newValue ? flags.rawValue | bit : flags.rawValue & ~bit)
        }
    }

    /// Whether nothing can tell that the signal exists.
    private final var isForgotten: Bool { !isHandleHeld && live == 0 && !terminated.isRaised }

    /// Owner only. Whether nobody waits for more: the signal has ended, or those who kept it alive have let go of it during
    /// the delivery, and it will end when that is over.
    @inlinable @inline(__always)
    final var wantsNoMore: Bool { terminated.isRaised || (gate.mayHaveOperations && isAbandoned) }

    @usableFromInline
    final var isAbandoned: Bool {
        if isHandleHeld { return false }
        var isWanted = false
        slots.visit { isWanted = isWanted || $0.wantsMore }
        return !isWanted
    }

    // MARK: The scheduler

    /// The scheduler on which an interruption is to be delivered. An operator that takes a scheduler names it, and operators
    /// downstream inherit that of their first input. Nil if there is none: then the thread that disposes delivers.
    package final var scheduler: (any Scheduler)? { schedulerObject as? any Scheduler }

    @usableFromInline
    package final var schedulerObject: AnyObject? {
        // A gate that serialises cores is a root.
        gateReference._withUnsafeGuaranteedRef { unsafeDowncast($0, to: SignalCore.self).ownScheduler }
    }

    // MARK: What ends with the signal

    /// The lifetime of the signal. To be asked for while the signal is being made, before others can reach it.
    @usableFromInline
    package final func makeLifetime() -> Lifetime {
        if let resources { return resources }
        let lifetime = Lifetime()
        resources = lifetime
        return lifetime
    }

    // MARK: What works only while somebody observes

    /// Has a watcher told of observers from now on. To be called while the signal is being made, once.
    package final func beWatched(by watcher: SignalWatcher) {
        _ = self.watcher.exchange(UInt(bitPattern: Unmanaged.passRetained(watcher).toOpaque()))
    }

    /// There is about to be one receiver more. The caller holds the signal, and with it the watcher.
    @usableFromInline
    package final func beginObserving() {
        if let watcher = Self.watcher(watcher.load()) { watcher._withUnsafeGuaranteedRef { $0.begin($0.subject) } }
    }

    /// Owner only. There is one receiver less than ``beginObserving()`` was told of.
    @usableFromInline
    package final func endObserving() {
        if let watcher = Self.watcher(watcher.load()) {
            watcher._withUnsafeGuaranteedRef { $0.end($0.subject, gate) }
        }
    }

    /// Owner only. Nobody can observe the signal any more.
    private final func letGoOfWatcher() {
        if let watcher = unwatch() { gate.letGoAfterLeaving(watcher.takeRetainedValue()) }
    }

    private final func unwatch() -> Unmanaged<SignalWatcher>? { Self.watcher(watcher.exchange(0)) }

    private static func watcher(_ bits: UInt) -> Unmanaged<SignalWatcher>? {
        UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
    }

    // MARK: Observing

    /// Adds a receiver for an observer, now or, if the gate is taken, after the event in flight.
    ///
    /// Nil if the signal has ended, in which case the receiver has got its one `interrupted`.
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
        // What has ended has no use for being told.
        if terminated.isRaised {
            interruptLate(receiver, thread)
            return nil
        }
        observation.setReceiver(.passRetained(receiver))
        additions.increment()
        observation.pushAddition()
        return observation
    }

    /// Owner only. The second half of an addition that had to go through the inbox.
    ///
    /// - Parameter isWanted: Whether the observation has not been disposed of on the way.
    final func add(_ observation: Observation, isWanted: Bool) {
        additions.decrement()
        guard isWanted else {
            observation.takeReceiver().map { gate.letGoAfterLeaving($0.takeRetainedValue()) }
            endObserving()
            return
        }
        guard let receiver = observation.receiver else { return }
        if terminated.isRaised {
            _ = observation.takeReceiver()
            // It may be another thread that observes: this one's task-locals are not for it.
            CapturedContext.runWithout { receiver._withUnsafeGuaranteedRef { $0.receiveInterrupted() } }
            gate.letGoAfterLeaving(receiver.takeRetainedValue())
        } else {
            append(receiver.takeRetainedValue())
        }
    }

    /// Sends `interrupted` to an observer that came after the end, in turn with all else that the gate serialises.
    private final func interruptLate(_ receiver: AnyReceiver, _ thread: UInt) {
        if gate.isOwnedByCaller {
            receiver.receiveInterrupted()
        } else if gate.enterToObserve(thread) {
            receiver.receiveInterrupted()
            gate.leavePassively(thread)
        } else {
            pushPassively { receiver.receiveInterrupted() }
        }
    }

    /// Owner only. Removes the observation's receiver and passes its reference to the caller, who lets go of it when the
    /// gate is free. Ends the signal if nobody is left.
    final func remove(_ observation: Observation) -> Unmanaged<AnyReceiver>? {
        guard let receiver = observation.takeReceiver() else { return nil }
        takeOut(receiver)
        if isForgotten { PassiveSection.run { endSilently() } }
        return receiver
    }

    // MARK: Deriving

    /// Attaches an operator's receiver: `downstream` is the core that the operator sends to.
    @usableFromInline
    final func attach(_ receiver: AnyReceiver, downstream: SignalCore) {
        beginObserving()
        let thread = ThreadIdentity.current
        if gate.enterPassively(thread) {
            attachAsOwner(receiver, downstream)
            gate.leavePassively(thread)
        } else {
            additions.increment()
            pushPassively {
                self.additions.decrement()
                self.attachAsOwner(receiver, downstream)
            }
        }
    }

    /// Attaches a receiver that a watcher has been told of.
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

    /// What a sender does that finds its gate taken.
    @inlinable
    package final var gateContention: Contention { gate.contention }

    /// Whether anybody observes it. Waits for its turn.
    @usableFromInline
    package final var isObserved: Bool {
        let thread = ThreadIdentity.current
        // From inside, or where waiting would close a cycle.
        guard gate.enter(thread) else { return false }
        defer { gate.leave(thread) }
        return live > 0
    }

    /// Whether the gate is idle, and whoever sends now sends to nobody. For a core that has a gate of its own.
    ///
    /// Who observes and then sees to it that something is sent is counted by then.
    @inlinable @inline(__always)
    package final var isUnobserved: Bool { word.load() == 0 && live == 0 }

    // MARK: As the head of a producer's chain

    /// Adds the first receiver to a core that nobody else can reach yet.
    @inlinable
    final func adopt(_ receiver: AnyReceiver) {
        slots.begin(with: receiver)
        hasOnlyValueReceivers = receiver.kind == .values
        live = 1
    }

    /// Nobody holds it but those who keep it at work: it is wanted for as long as its receiver wants more.
    @usableFromInline
    final func beHeldByNobody() { isHandleHeld = false }

    /// Has a delivery in flight look whether anybody waits for more: see ``wantsNoMore``.
    @usableFromInline
    package final func reconsider() {
        let thread = ThreadIdentity.current
        if gate.enterPassively(thread) {
            gate.leavePassively(thread)
        } else {
            PassiveSection.run { gate.push(DeferredUpkeep {}) }
        }
    }

    /// Sends `interrupted`, now or, if the gate is taken, after the event in flight.
    @usableFromInline @discardableResult
    package final func interrupt() -> Bool {
        releaseInput()
        return false
    }

    /// Sends `interrupted` where the events are delivered, unless the signal has ended.
    @usableFromInline
    package final func interruptOnScheduler() {
        if terminated.isRaised { return }
        if let scheduler { scheduler.schedule { self.interrupt() } } else { interrupt() }
    }

    /// Ends without an event, now or, if another thread has the gate, when that leaves it.
    @usableFromInline
    package final func cutOff() {
        guard !terminated.isRaised else { return }
        if gate.isOwnedByCaller { return cutOffAsOwner() }
        actPassively { self.cutOffAsOwner() }
    }

    private final func cutOffAsOwner() {
        if terminated.raise() { finish() }
    }

    // MARK: Ending

    /// Tells that the handle is gone. Never waits: called by a `deinit`.
    @usableFromInline
    final func releaseHandle() {
        guard !terminated.isRaised else {
            unwatch()?.release()
            return
        }
        let thread = ThreadIdentity.current
        guard gate.enterPassively(thread) else {
            // So that the delivery in flight can see it: `wantsNoMore`. Not while somebody may be about to be added.
            if gate.isOwnedByCaller, additions.isEmpty { isHandleHeld = false }
            return pushPassively { self.releaseHandleAsOwner() }
        }
        releaseHandleAsOwner()
        gate.leavePassively(thread)
    }

    private final func releaseHandleAsOwner() {
        isHandleHeld = false
        if isForgotten { PassiveSection.run { endSilently() } }
        if terminated.isRaised { letGoOfWatcher() }
    }

    /// Tells that the input observer is gone, so nothing more can be sent. Never waits: called by a `deinit`.
    @usableFromInline
    final func releaseInput() {
        guard !terminated.isRaised else { return }
        actPassively { self.interruptAsOwner() }
    }

    /// Runs `work` as the owner of the gate, in a passive section: now or, if the gate is taken, in turn.
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

    private final func pushPassively(_ work: @escaping @Sendable () -> Void) {
        PassiveSection.run { gate.push(DeferredWork(work)) }
    }

    @usableFromInline
    func interruptAsOwner() { preconditionFailure("SignalCore is abstract") }

    /// Owner only. What remains to be done after a terminal event has reached every receiver.
    @usableFromInline
    final func finish() {
        slots.removeAll { receiver in
            _ = receiver.observation?.takeReceiver()
            gate.letGoAfterLeaving(receiver)
        }
        live = 0
        if !isHandleHeld { letGoOfWatcher() }
        release()?.endSilently()
    }

    /// Owner only. Ends a signal that nobody holds or observes, and what is upstream of it for the same reason, without
    /// an event.
    private final func endSilently() {
        var forgotten: SignalCore? = self
        while let core = forgotten {
            core.terminated.raise()
            forgotten = core.release()
            core.letGoOfWatcher()
        }
    }

    /// Disposes of the signal's resources and detaches it. Returns the upstream if that is now forgotten.
    private final func release() -> SignalCore? {
        resources.take()?.end()
        guard let receiver = upstreamReceiver.take(), let upstream else { return nil }
        // An upstream that has ended lets go of its receivers itself.
        guard !upstream.terminated.isRaised else { return nil }
        upstream.takeOut(receiver)
        gate.letGoAfterLeaving(receiver.takeRetainedValue())
        return upstream.isForgotten ? upstream : nil
    }

    // MARK: Slots

    private final func append(_ receiver: AnyReceiver) {
        if live == 0 { hasOnlyValueReceivers = true }
        if receiver.kind != .values { hasOnlyValueReceivers = false }
        slots.append(receiver, live: live)
        live += 1
    }

    /// The reference passes to the caller.
    private final func takeOut(_ receiver: Unmanaged<AnyReceiver>) {
        slots.remove(receiver)
        live -= 1
        endObserving()
    }

    // MARK: The name

    /// The name that a user gave last; nil if none did.
    final var givenName: String? { Self.naming.withLock { _ in label }?.text }

    /// Gives the signal a name. From any thread; the last one counts.
    @usableFromInline
    final func setName(_ text: String) {
        let new = Label(text)
        // The former one is released outside the lock.
        _ = Self.naming.withLock { _ in
            let former = label
            label = new
            return former
        }
    }
}

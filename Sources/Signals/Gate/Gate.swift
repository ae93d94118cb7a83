#if Explore
import InterleavingExplorer
#endif

/// The only primitive that serializes events. At most one thread is inside a gate at a time. Everything that arrives
/// meanwhile waits, is enqueued, or is handed over to the thread inside.
///
/// # The word
/// One atomic word holds the identity of the thread inside, the owner (0 when the gate is free), and four flags:
///
/// | flag      | meaning                           | set by                        | cleared by                      |
/// |-----------|-----------------------------------|-------------------------------|---------------------------------|
/// | `inbox`   | operations may be pending         | pusher, after the push        | owner, before it takes the last |
/// | `waiters` | threads sleep in the waiting room | waiter, under the room's lock | owner, under the room's lock    |
/// | `releases`| references to release on exit     | owner                         | owner                           |
/// | `offered` | the owner has not begun           | owner                         | the next owner, or the owner    |
///
/// Entering is a compare-and-swap from 0 to the caller's identity. Leaving is a compare-and-swap back to 0. Any flag
/// makes the fast exit fail. So as long as there is no queue, no waiter and no removed observer, supporting them costs
/// an event nothing.
///
/// # Protocol
/// - **Free**: the thread enters, acts, and leaves.
/// - **Taken by the same thread** (a call from inside a delivery): the operation is pushed. The owner performs it after
///   the event in flight and before it leaves. The stack does not grow.
/// - **Taken by another thread**: with `.enqueue`, or for a caller that must not wait (`dispose`, `deinit`), the
///   operation is pushed and the caller continues. With `.wait` the caller spins briefly, then sleeps in the
///   ``WaitingRoom``. If sleeping would close a cycle of threads that wait for each other's gates, it pushes and
///   continues instead.
/// - **Free with flags** (a push raced with the exit): a sender enters and performs the pending operations. Disposals
///   and observations push.
/// - **Others refill the inbox** all the time: a thread performs at most ``limit`` operations of others in a row, then
///   leaves with the inbox in place, as a passive entry does. What an observer sends while the thread delivers for
///   others counts as theirs. What it sends during a delivery of the thread's own is performed before the thread
///   leaves.
/// - **Offered**: a thread that has entered several gates, to deliver one after the other, lets others take over those
///   in which it has not begun: see ``takeOver(_:)``. It takes a gate back as soon as it uses it.
/// - **Passive entries** (disposals, `deinit`, observations; see ``PassiveSection``): the thread performs its own
///   operations and no others. Operations that other threads have pushed meanwhile stay in the inbox when it leaves. If
///   it wakes a waiter, the waiter performs them. If there is no waiter, another thread does: see
///   ``leaveInbox(_:)``.
///
/// # Invariants
/// 1. Everything marked "only for the owner" is accessed only by the thread whose identity is in the word.
/// 2. Every pushed operation is performed. The pusher sets `inbox` by a read-modify-write *after* the push, even if the
///    flag reads as set. So either the owner's exit fails on the flag, or the pusher finds the gate free and enters.
///    While the gate is free with `inbox` set, some thread is about to perform the operations: the pusher that set the
///    flag, a woken waiter, or the drain that the last owner has scheduled.
/// 3. The owner clears `inbox` before it takes the last operations, so a clear flag means that no operation is pending.
/// 4. Ownership is never handed to a sleeping thread. A woken waiter competes like any other thread. But a thread that
///    leaves lets a waiter that was overtaken several times check the gate first.
/// 5. With `waiters` set, the word becomes free only under the room's lock, together with waking a waiter.
/// 6. The owner releases removed objects only after it has left, so a user's `deinit` finds the gate free.
@usableFromInline
package class Gate: @unchecked Sendable {
    // Sendable: see the invariants above.
    @usableFromInline final let word = AtomicWord(0)
    /// The operation that was pushed last, as the bits of an `Unmanaged<GateOperation>` that holds one reference.
    private final let inbox = AtomicWord(0)
    /// Only for the owner of the gate. The operations that the last owner has taken from the inbox and left, oldest
    /// first. The flag of the inbox is set if there are any.
    @exclusivity(unchecked) private final var rest: Unmanaged<GateOperation>?
    /// Only for the owner of the gate. The objects that were removed while an event was in flight, newest first.
    @exclusivity(unchecked) private final var releases: Unmanaged<DeferredGateRelease>?
    /// Only for the owner of the gate. A delivered event whose object is kept for reuse, with one retained reference.
    @exclusivity(unchecked) private final var spare: Unmanaged<WaitingEvent>?
    /// Raised from the start for `.enqueue`, otherwise when an input with `.enqueue` joins.
    private final let isNeverWaitedFor: AtomicFlag
    /// Only for the owner of the gate. The number of operations that belong to it and wait.
    @exclusivity(unchecked) private final var owed: UInt32 = 0
    /// Only for the owner of the gate. Whether it performs an operation of others, so that what is pushed meanwhile
    /// belongs to them.
    @exclusivity(unchecked) private final var actsForOthers = false

    @usableFromInline static let inboxFlag: UInt = 1
    static let waitersFlag: UInt = 2
    static let releasesFlag: UInt = 4
    // The lowest three bits of a thread's identity are clear, and the highest one, because it is an address.
    static let offeredFlag: UInt = 1 << (UInt.bitWidth - 1)
    @usableFromInline static let ownerMask: UInt = ~(7 | 1 << (UInt.bitWidth - 1))

    /// The number of operations of others that a thread performs before it leaves the rest to other threads. Fewer in
    /// the explorer, so that short scenarios reach it, but not where they check their result: other threads no longer
    /// run there.
    package static var limit: Int {
        #if Explore
        ExploredBackground.isChecking ? 64 : 2
        #else
        64
        #endif
    }

    /// How often a `.wait` sender checks the gate again before it sleeps.
    private static let spinLimit = Spinning.long
    /// How often a caller that never waits checks the gate again before it pushes.
    private static let shortSpinLimit = Spinning.short

    @usableFromInline
    package init(contention: Contention) { isNeverWaitedFor = AtomicFlag(contention == .enqueue) }

    deinit { spare?.release() }

    /// What a sender does if it finds the gate taken.
    @usableFromInline
    package final var contention: Contention { isNeverWaitedFor.isRaised ? .enqueue : .wait }

    /// Adopts the contention policy of an input. Once an `.enqueue` input has joined, no sender waits.
    @usableFromInline
    package final func join(_ contention: Contention) {
        if contention == .enqueue { isNeverWaitedFor.raise() }
    }

    // MARK: Entering

    // | entry            | waits            | performs operations of others | for                                     |
    // |------------------|------------------|-------------------------------|-----------------------------------------|
    // | `enter`          | outside sections | yes                           | a sender                                |
    // | `enterIfFree`    | never            | yes                           | a sender that must not block its thread |
    // | `enterPassively` | never            | no                            | `dispose`, a `deinit`, an observation   |
    // | `enterToObserve` | outside sections | no                            | a start that receives stored values     |
    // | `enterToRead`    | always           | yes                           | a reader, a `modify`                    |
    //
    // An entry waits only if the gate's contention is `.wait`. In a ``PassiveSection`` no entry performs operations of
    // others, and only `enterToRead` waits. If an entry returns false, the caller pushes an operation instead.

    /// Tries to become the owner, waiting if necessary.
    @inlinable @inline(__always)
    package final func enter(_ thread: UInt) -> Bool {
        word.compareExchangeAcquiring(from: 0, to: thread) || enterSlowly(thread)
    }

    /// Tries to become the owner without waiting.
    @_alwaysEmitIntoClient
    package final func enterIfFree(_ thread: UInt) -> Bool {
        word.compareExchangeAcquiring(from: 0, to: thread) || enterSlowly(thread, waits: .never)
    }

    /// Tries to become the owner without waiting, and without performing any operations. Leave with
    /// ``leavePassively(_:)``.
    @_alwaysEmitIntoClient
    package final func enterPassively(_ thread: UInt) -> Bool {
        word.compareExchangeAcquiring(from: 0, to: thread) || enterSlowly(thread, waits: .never, performs: false)
    }

    /// Tries to become the owner, waiting if necessary, but without performing any operations. For a start that
    /// receives the stored values of a stream, and then its events in order. Leave with ``leavePassively(_:)``.
    @_alwaysEmitIntoClient
    package final func enterToObserve(_ thread: UInt) -> Bool {
        word.compareExchangeAcquiring(from: 0, to: thread) || enterSlowly(thread, performs: false)
    }

    /// Becomes the owner if the gate is free and nothing is pending. Performs nothing, so the caller may hold a lock.
    @inlinable @inline(__always)
    package final func enterIfIdle(_ thread: UInt) -> Bool { word.compareExchangeAcquiring(from: 0, to: thread) }

    /// Becomes the owner, waiting even in a ``PassiveSection``. For reading a value, which cannot be handed over.
    /// Returns false if waiting would close a cycle, if the caller is already inside, or if the gate stays taken and
    /// its contention is `.enqueue`.
    package final func enterToRead(_ thread: UInt) -> Bool {
        word.compareExchangeAcquiring(from: 0, to: thread) || enterSlowly(thread, waits: .always)
    }

    /// Whether a thread is inside.
    package final var isTaken: Bool { word.load() & Self.ownerMask != 0 }

    /// Whether threads sleep until they can enter.
    package final var hasWaiters: Bool { word.load() & Self.waitersFlag != 0 }

    /// Whether the calling thread is inside.
    @usableFromInline
    package final var isOwnedByCaller: Bool { isOwned(by: ThreadIdentity.current) }

    /// Whether a thread, the caller, is inside. If it has offered the gate, this takes it back.
    @inline(__always)
    package final func isOwned(by thread: UInt) -> Bool {
        var seen = word.loadRelaxed()
        while seen & Self.ownerMask == thread {
            if seen & Self.offeredFlag == 0 { return true }
            if word.compareExchangeAcquiring(from: seen, to: seen & ~Self.offeredFlag) { return true }
            seen = word.loadRelaxed()
        }
        return false
    }

    /// Only for the owner of the gate, which has entered it when nothing was pending. Lets other threads take over,
    /// until ``isOwned(by:)``.
    ///
    /// - Returns: Whether threads may be waiting for the gate: see ``WaitingRoom/alert(_:)``.
    package final func offer() -> Bool { word.set(Self.offeredFlag) & Self.waitersFlag != 0 }

    /// Whether a thread can take over.
    @usableFromInline
    package final var isOffered: Bool { word.load() & Self.offeredFlag != 0 }

    /// Becomes the owner in place of a thread that has offered the gate. The caller does what that one has entered for.
    /// Returns false if no thread has offered it, or another has taken over.
    package final func takeOver(_ thread: UInt) -> Bool {
        var seen = word.load()
        while seen & Self.offeredFlag != 0 {
            let new = seen & ~(Self.ownerMask | Self.offeredFlag) | thread
            if word.compareExchangeAcquiring(from: seen, to: new) { return true }
            seen = word.load()
        }
        return false
    }

    /// Whether an entry waits if the gate's contention is `.wait`.
    @frozen @usableFromInline
    enum Waiting {
        case never, outsideSections, always
    }

    /// Returns after what the caller has added has been performed, unless waiting for that would close a cycle or the
    /// gate's contention is `.enqueue`.
    ///
    /// - Parameter stopsIfOffered: Whether to wait no longer if a thread offers the gate. That thread has entered it
    ///   when nothing was pending, so what was added before has been performed.
    @usableFromInline
    package final func waitForTurn(_ thread: UInt, stopsIfOffered: Bool = false) {
        settle()
        if enterIfIdle(thread) || enterSlowly(thread, stopsIfOffered: stopsIfOffered) { leave(thread) }
    }

    @usableFromInline @inline(never)
    final func enterSlowly(
        _ thread: UInt, waits: Waiting = .outsideSections, performs: Bool = true, stopsIfOffered: Bool = false
    ) -> Bool {
        // A call from inside a delivery, the most frequent reason to get here.
        if isOwned(by: thread) { return false }
        let isInSection = PassiveSection.isCurrent
        let isPassive = !performs || isInSection
        let maySleep = waits != .never && (waits == .always || !isInSection) && contention == .wait
        // A passive owner leaves very soon, so spinning is cheaper than pushing an operation.
        for _ in 0..<(maySleep ? Self.spinLimit : Self.shortSpinLimit) {
            let seen = word.loadRelaxed()
            switch seen & Self.ownerMask {
            case 0:
                // If flags are set, another thread is about to perform the pending operations: see invariant 2.
                if isPassive, !maySleep, seen != 0 { return false }
                guard word.compareExchangeAcquiring(from: seen, to: seen | thread) else { continue }
                return isPassive || performEarlierOperations(thread, mayLeave: !maySleep)
            case thread:
                return false
            default:
                if stopsIfOffered, seen & Self.offeredFlag != 0 { return false }
            }
        }
        guard maySleep else { return false }
        guard WaitingRoom.shared.wait(for: self, as: thread, stopsIfOffered: stopsIfOffered) else { return false }
        return isPassive || performEarlierOperations(thread, mayLeave: false)
    }

    // MARK: Leaving

    @inlinable @inline(__always)
    package final func leave(_ thread: UInt) {
        if !word.compareExchangeReleasing(from: thread, to: 0) { leaveSlowly(thread) }
    }

    /// Leaves if nothing is pending, so the caller may hold a lock. Otherwise the caller stays inside.
    @_alwaysEmitIntoClient @inline(__always)
    package final func leaveIfIdle(_ thread: UInt) -> Bool { word.compareExchangeReleasing(from: thread, to: 0) }

    /// Leaves after ``enterPassively(_:)``. Operations that other threads have pushed meanwhile are left to other
    /// threads.
    @_alwaysEmitIntoClient @inline(__always)
    package final func leavePassively(_ thread: UInt) {
        if !word.compareExchangeReleasing(from: thread, to: 0) { leaveSlowly(thread, .own(pushed: nil)) }
    }

    /// Which of the pending operations an owner performs.
    @frozen @usableFromInline
    enum Selection {
        case all
        /// Those that the owner has pushed: from inside the gate, and `pushed` from outside.
        case own(pushed: Unmanaged<GateOperation>?)
        /// All that others have left, on a thread of the library.
        case left

        @inline(__always)
        func contains(_ operation: Unmanaged<GateOperation>) -> Bool {
            switch self {
            case .all, .left: true
            case .own(let pushed):
                operation.toOpaque() == pushed?.toOpaque()
                    || operation._withUnsafeGuaranteedRef { $0.isPushedByOwner }
            }
        }
    }

    /// - Parameter selection: `nil` if it depends on the passive section.
    /// - Returns: Whether the caller, a thread of the library, should enter again to perform what is left.
    @usableFromInline @inline(never) @discardableResult
    final func leaveSlowly(_ thread: UInt, _ selection: Selection? = nil) -> Bool {
        let selection = selection ?? (PassiveSection.isCurrent ? .own(pushed: nil) : .all)
        let isPassive = if case .own = selection { true } else { false }
        var allowance = Self.limit
        var isLeftToCaller = false
        var removed: Unmanaged<DeferredGateRelease>?
        while true {
            let seen = word.load()
            var left: UInt = 0
            if seen & Self.inboxFlag != 0 {
                if performInbox(selection, &allowance) { continue }
                left = Self.inboxFlag
            }
            if seen & Self.releasesFlag != 0 {
                removed = DeferredGateRelease.join(releases, behind: removed)
                releases = nil
                // Usually nothing else is pending.
                if left == 0, word.compareExchangeReleasing(from: thread | Self.releasesFlag, to: 0) { break }
                _ = word.clear(Self.releasesFlag)
            } else if seen & Self.waitersFlag != 0 {
                if let isAwaited = WaitingRoom.shared.leave(self, as: thread, leaving: left, mayYield: !isPassive) {
                    // The woken waiter performs what is left. The flag may be stale: it may have been set by a waiter
                    // that has since handed over.
                    if left != 0, !isAwaited { isLeftToCaller = leaveInbox(selection) }
                    break
                }
            } else if word.compareExchangeReleasing(from: thread | left, to: left) {
                if left != 0 { isLeftToCaller = leaveInbox(selection) }
                break
            }
        }
        // Invariant 6: removed objects are released only now, when the gate is free.
        while let object = removed {
            removed = object._withUnsafeGuaranteedRef { $0.next }
            object.release()
        }
        return isLeftToCaller
    }

    /// Has the operations in the inbox performed by a thread of the library. For operations that the owner must not
    /// perform, pushed by threads that have moved on.
    ///
    /// - Parameter selection: What the owner has performed.
    /// - Returns: Whether the caller is that thread, and should enter again.
    private final func leaveInbox(_ selection: Selection) -> Bool {
        if case .left = selection { return true }
        LibraryThread.run { self.performLeft() }
        return false
    }

    /// Called by a thread of the library.
    package func performLeft() { settle(.left) }

    // MARK: The inbox

    /// Whether operations may have been pushed since the owner last checked.
    @inlinable @inline(__always)
    package final var mayHaveOperations: Bool { word.loadRelaxed() & Self.inboxFlag != 0 }

    /// Makes the owner check the inbox as if an operation had been pushed. Does nothing if no thread is inside.
    ///
    /// Does not enter the gate: a sender that never waits would then leave its event to another thread. A delivery that
    /// begins later sees everything that the caller has written.
    package final func alertOwner() {
        // Writes the word unchanged: that publishes what the caller has written to the next thread that enters.
        var seen = word.set(0)
        while seen & Self.ownerMask != 0 {
            if word.compareExchangeReleasing(from: seen, to: seen | Self.inboxFlag) { return }
            seen = word.load()
        }
    }

    /// Hands an operation to the owner, or performs it if the gate has become free.
    @usableFromInline @inline(never)
    package final func push(_ operation: GateOperation) {
        let thread = ThreadIdentity.current
        if enterIfIdle(thread) {
            operation.perform()
            leave(thread)
            return
        }
        // The caller is the owner, and performs the operation before it leaves.
        if isOwned(by: thread) {
            add(operation)
            return
        }
        let pushed = Unmanaged.passUnretained(operation)
        // The thread that sets the first flag of a free gate is responsible for the inbox.
        if add(operation) == 0 || !PassiveSection.isCurrent { settle(pushed) }
    }

    /// Adds an operation to the inbox without performing anything. For a caller that holds a lock, and calls
    /// ``settle()`` after releasing it.
    ///
    /// - Returns: The word before the call.
    @usableFromInline @discardableResult
    package final func add(_ operation: GateOperation) -> UInt {
        operation.isPushedByOwner = isOwnedByCaller && !actsForOthers
        if operation.isPushedByOwner { owed &+= 1 }
        if !operation.isPushedByOwner || CapturedContext.isCurrent { operation.captureContext() }
        put(Unmanaged.passRetained(operation), above: operation)
        // Invariant 2. From here on another thread may already have performed the operation.
        return word.set(Self.inboxFlag)
    }

    /// Only for the owner of the gate. Adds an operation, and takes over the caller's reference to it.
    @usableFromInline
    final func addAsOwner(_ operation: Unmanaged<WaitingEvent>) {
        operation._withUnsafeGuaranteedRef { operation in
            operation.isPushedByOwner = !actsForOthers
            if operation.isPushedByOwner { owed &+= 1 }
            if actsForOthers || CapturedContext.isCurrent { operation.captureContext() }
            put(.fromOpaque(Unmanaged.passUnretained(operation).toOpaque()), above: operation)
        }
        _ = word.set(Self.inboxFlag)
    }

    /// Takes the kept operation with its reference. Returns `nil` if there is none, or if the caller is not the owner.
    @usableFromInline
    final func takeSpare() -> Unmanaged<WaitingEvent>? {
        guard isOwnedByCaller, let event = spare.take() else { return nil }
        event._withUnsafeGuaranteedRef { $0.isReusable = false }
        return event
    }

    /// Only for the owner of the gate. Releases a performed operation, or keeps it for reuse.
    @inline(__always)
    private final func finish(_ operation: Unmanaged<GateOperation>, isEvent: Bool) {
        if isEvent, operation._withUnsafeGuaranteedRef({ $0.isReusable }), spare == nil {
            spare = .fromOpaque(operation.toOpaque())
        } else {
            operation.release()
        }
    }

    /// Puts operations on top of the inbox: `newest`, which is linked to the operations before it, down to `oldest`.
    private final func put(_ newest: Unmanaged<GateOperation>, above oldest: GateOperation) {
        let bits = UInt(bitPattern: newest.toOpaque())
        while true {
            let head = inbox.loadRelaxed()
            oldest.next = Self.operation(head)
            if inbox.compareExchangeReleasing(from: head, to: bits) { return }
        }
    }

    /// Performs pending operations unless an owner will do so.
    ///
    /// In a ``PassiveSection`` it performs only the operations that the caller has pushed, and leaves the rest to other
    /// threads.
    @usableFromInline
    package final func settle() { settle(nil) }

    private final func settle(_ pushed: Unmanaged<GateOperation>?) {
        let seen = word.load()
        guard seen & Self.ownerMask == 0, seen & Self.inboxFlag != 0 else { return }
        if PassiveSection.isCurrent { return settle(.own(pushed: pushed)) }
        let thread = ThreadIdentity.current
        if enterSlowly(thread, waits: .never) { leave(thread) }
    }

    /// Performs some of the pending operations, unless a thread is inside. Leaves the rest to other threads.
    @inline(never)
    final func settle(_ selection: Selection) {
        while true {
            let seen = word.load()
            guard seen & Self.ownerMask == 0, seen & Self.inboxFlag != 0 else { return }
            let thread = ThreadIdentity.current
            // If this fails, another thread has entered, and is responsible for the inbox.
            guard word.compareExchangeAcquiring(from: seen, to: seen | thread) else { return }
            if !leaveSlowly(thread, selection) { return }
        }
    }

    /// Only for the owner of the gate. Performs the pending operations, oldest first.
    ///
    /// The flag stays set while at least one operation waits behind the one being performed. A delivery that is itself
    /// such an operation checks the flag to learn of disposals, and so also learns of a disposal that waits behind it.
    ///
    /// Stops at the first operation that is not selected, or that exceeds the allowance. That one and those behind it
    /// wait for the next owner.
    ///
    /// - Parameters:
    ///   - allowance: The number of operations of others that may be performed. One more is possible only if an
    ///     operation of the owner's own is behind it.
    ///   - takesOnce: Whether to leave alone what is pushed after this has begun to empty the inbox.
    /// - Returns: Whether everything has been performed.
    @inline(__always)
    private final func performInbox(
        _ selection: Selection, _ allowance: inout Int, takesOnce: Bool = false
    ) -> Bool {
        var oldest = rest.take()
        var isFlagged = oldest != nil
        var mayTake = true
        if !isFlagged {
            guard word.clear(Self.inboxFlag) & Self.inboxFlag != 0 else { return true }
            oldest = takeInbox()
            mayTake = !takesOnce
        }
        while let operation = oldest {
            // Read before performing: an observation may be pushed again as soon as it has been performed.
            let isEvent = operation._withUnsafeGuaranteedRef { $0.isEvent }
            let isOwn = operation._withUnsafeGuaranteedRef { $0.isPushedByOwner }
            oldest = operation._withUnsafeGuaranteedRef { $0.next }
            if oldest == nil, isFlagged, mayTake {
                _ = word.clear(Self.inboxFlag)
                isFlagged = false
                oldest = takeInbox()
                mayTake = !takesOnce
            }
            if oldest != nil, !isFlagged {
                _ = word.set(Self.inboxFlag)
                isFlagged = true
            }
            if !isOwn, allowance <= 0 && mayStop(selection, allowance) || !selection.contains(operation) {
                leave(operation, before: oldest)
                return false
            }
            if isOwn {
                owed &-= 1
                operation._withUnsafeGuaranteedRef { $0.perform() }
            } else {
                allowance -= 1
                perform(operation, selection)
            }
            finish(operation, isEvent: isEvent)
        }
        return true
    }

    /// Performs an operation that the owner has not pushed from inside.
    @inline(never)
    private final func perform(_ operation: Unmanaged<GateOperation>, _ selection: Selection) {
        switch selection {
        // What is sent from inside is the thread's own, and follows at once.
        case .own, .left: operation._withUnsafeGuaranteedRef { $0.perform() }
        case .all:
            actsForOthers = true
            operation._withUnsafeGuaranteedRef { $0.perform() }
            actsForOthers = false
        }
    }

    /// Whether a thread that has performed enough may leave the rest. What it has pushed in deliveries of its own comes
    /// first. A drain, which has none of its own, goes on for a while, because leaving then takes time.
    private final func mayStop(_ selection: Selection, _ allowance: Int) -> Bool {
        if owed == 0 { return true }
        return if case .left = selection { allowance <= -15 * Self.limit } else { false }
    }

    /// Only for a thread that has just entered. Performs what was pushed before it arrived, because that comes before
    /// what the caller sends.
    ///
    /// - Parameter mayLeave: Whether to leave the gate if that is too much, because the caller may push its operation.
    /// - Returns: Whether the caller is still the owner.
    private final func performEarlierOperations(_ thread: UInt, mayLeave: Bool) -> Bool {
        var allowance = mayLeave ? Self.limit : .max
        if performInbox(.all, &allowance, takesOnce: true) { return true }
        leaveSlowly(thread, .own(pushed: nil))
        return false
    }

    /// Only for the owner of the gate. Takes all pending operations, linked from the oldest to the newest.
    private final func takeInbox() -> Unmanaged<GateOperation>? {
        // The inbox has its newest operation on top.
        var newest = Self.operation(inbox.exchange(0))
        var oldest: Unmanaged<GateOperation>?
        while let operation = newest {
            newest = operation._withUnsafeGuaranteedRef { $0.next }
            operation._withUnsafeGuaranteedRef { $0.next = oldest }
            oldest = operation
        }
        return oldest
    }

    /// Only for the owner of the gate. Leaves an operation and those behind it to the next owner.
    private final func leave(_ operation: Unmanaged<GateOperation>, before others: Unmanaged<GateOperation>?) {
        operation._withUnsafeGuaranteedRef { $0.next = others }
        rest = operation
        // What the owner has pushed may be anywhere behind, also in the inbox.
        if owed != 0 {
            var last = operation
            while let next = last._withUnsafeGuaranteedRef({ $0.next }) {
                next._withUnsafeGuaranteedRef { $0.leaveToOthers() }
                last = next
            }
            var taken = takeInbox()
            last._withUnsafeGuaranteedRef { $0.next = taken }
            while let next = taken {
                taken = next._withUnsafeGuaranteedRef {
                    $0.leaveToOthers()
                    return $0.next
                }
            }
            owed = 0
        }
        _ = word.set(Self.inboxFlag)
    }

    private static func operation(_ bits: UInt) -> Unmanaged<GateOperation>? {
        UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
    }

    // MARK: Releasing after leaving

    /// Only for the owner of the gate. Keeps a reference until the gate has been left.
    package final func releaseAfterLeaving(_ object: DeferredGateRelease) {
        let reference = Unmanaged.passRetained(object)
        object.next = self.releases
        self.releases = reference
        _ = word.set(Self.releasesFlag)
    }
}

/// An object that is removed while an event is in flight, and released after the gate has been left. Linked
/// intrusively, so that removal does not allocate.
@usableFromInline
@_fixed_layout
package class DeferredGateRelease {
    /// The object that was removed before this one.
    @exclusivity(unchecked) final var next: Unmanaged<DeferredGateRelease>?

    @usableFromInline
    package init() {}

    /// Reverses `list`, which starts with its newest object, and appends it to `first`, which starts with its oldest.
    fileprivate static func join(
        _ list: Unmanaged<DeferredGateRelease>?, behind first: Unmanaged<DeferredGateRelease>?
    ) -> Unmanaged<DeferredGateRelease>? {
        if first == nil, let list, list._withUnsafeGuaranteedRef({ $0.next }) == nil { return list }
        var (rest, turned) = (list, nil as Unmanaged<DeferredGateRelease>?)
        while let object = rest {
            rest = object._withUnsafeGuaranteedRef { $0.next }
            object._withUnsafeGuaranteedRef { $0.next = turned }
            turned = object
        }
        guard let first else { return turned }
        var last = first
        while let next = last._withUnsafeGuaranteedRef({ $0.next }) { last = next }
        last._withUnsafeGuaranteedRef { $0.next = turned }
        return first
    }
}

/// Releases an object after the gate has been left.
package final class DeferredObjectRelease: DeferredGateRelease {
    private let object: AnyObject

    package init(_ object: AnyObject) { self.object = object }
}

/// What a sender does while another thread is delivering an event of the same stream.
public enum Contention: Sendable {
    /// Waits until the current event has been handled.
    ///
    /// Slow observers therefore slow down the senders. If waiting would close a cycle of threads, the sender leaves its
    /// event to the delivering thread instead.
    case wait
    /// Never waits: leaves the event to the delivering thread, and returns.
    ///
    /// The queue has no bound. A sender that finds the stream idle delivers its event itself, and then at most a few
    /// dozen that others have sent meanwhile. A thread of the library delivers the rest, and also an event that finds
    /// no thread that delivers, but one that adds or removes an observer.
    ///
    /// The results of operators that deliver all events on a scheduler are ``wait``: its actions wait for a thread that
    /// adds or removes an observer, and so for the closures of a disposal, or values that are replayed.
    case enqueue
}

extension Contention {
    /// The policy of an operator with several inputs: `.enqueue` if one of its inputs has it.
    @inlinable
    package func joined(with other: Contention) -> Contention {
        if case .enqueue = self { self } else { other }
    }

    /// The policy of the result of an operator that delivers all events on a scheduler. Only its actions send, so a
    /// visitor is all that they wait for. But if they run on the thread of the sender, that one must not wait.
    @usableFromInline
    package func behind(_ scheduler: (any Scheduler)?) -> Contention {
        if let scheduler, !scheduler.hasNoThread { .wait } else { self }
    }
}

extension Sequence<Contention> {
    /// The policy of an operator with these inputs.
    @_alwaysEmitIntoClient
    package func joined() -> Contention { reduce(.wait) { $0.joined(with: $1) } }
}

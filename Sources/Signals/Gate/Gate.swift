/// The one primitive that serialises: at any time at most one thread is inside, and what arrives meanwhile waits,
/// queues, or is handed over. Nothing else in the project puts events in order.
///
/// # The word
/// One atomic word holds the identity of the thread inside (0 when the gate is free) and three flags:
///
/// | flag      | meaning                                           | set by                          | cleared by                                  |
/// |-----------|---------------------------------------------------|---------------------------------|---------------------------------------------|
/// | `inbox`   | operations may wait behind the one in progress    | the pusher, after the push      | the owner, before it takes the last of them |
/// | `waiters` | threads sleep in the ``WaitingRoom`` for the gate | a waiter, under the room's lock | the owner, under the room's lock            |
/// | `debris`  | the owner has references to release after leaving | the owner                       | the owner                                   |
///
/// Entering is a compare-and-swap from 0 to the caller; leaving is one from the caller to 0. Any flag makes the way
/// out fail, so a queue, a waiter or a removed observer costs an event nothing when there is none.
///
/// # Protocol
/// - **Free**: whoever wants to act enters, acts, leaves.
/// - **Taken by the same thread** (a call from inside a delivery): the operation is pushed. The owner performs it
///   before it leaves, after the event in flight. The stack does not grow.
/// - **Taken by another thread**: with `.enqueue`, or for a caller that must not wait (dispose, deinit), the operation
///   is pushed and the caller goes on. With `.wait` the caller spins for a moment, then sleeps in the waiting room,
///   unless that would close a cycle of threads that wait for each other's gates: then it pushes and goes on.
/// - **Free with flags** (a push raced with the way out): a sender enters and performs what is there. Disposals and observations push.
/// - **Passive entries** (disposals, `deinit`, observations; see ``PassiveSection``): the thread performs its own operations and no others.
///   What other threads have pushed meanwhile stays in the inbox when it leaves. A waiter that it wakes performs that, or, if there is none,
///   another thread performs it: see ``drainOnOtherThread()``.
///
/// # Invariants
/// 1. Everything that "owner only" marks is touched by the thread in the word and by no other.
/// 2. An operation that was pushed is performed: the pusher sets `inbox` by a read-modify-write *after* the push, even
///    if the flag reads as set. Either the owner's way out fails on it, or the pusher finds the gate free and enters.
///    While the gate is free with `inbox` set, somebody is on the way who will: the pusher that set it, a woken waiter, or the drain that
///    a passive owner has scheduled.
/// 3. The owner clears `inbox` before it takes the last operations, so a flag that is clear has no operation behind it.
/// 4. Ownership is never handed to a sleeping thread. A woken waiter competes like any other.
/// 5. With `waiters` set, the word becomes free only under the room's lock, together with waking a waiter.
/// 6. The owner lets go of what was removed only after it has left: a `deinit` of the user's finds the gate free.
@usableFromInline
package class Gate: @unchecked Sendable {
    // Sendable: see the invariants above.
    @usableFromInline final let word = AtomicWord(0)
    /// The operation pushed last, as the bits of an `Unmanaged<GateOperation>` that holds one reference.
    private final let inbox = AtomicWord(0)
    /// Owner only. What was removed while an event was in flight, the last first.
    @exclusivity(unchecked) private final var debris: Unmanaged<GateDebris>?
    /// Raised at first for `.enqueue`, and when an input comes that asks for it.
    private final let isNeverWaitedFor: AtomicFlag

    @usableFromInline static let inboxFlag: UInt = 1
    static let waitersFlag: UInt = 2
    static let debrisFlag: UInt = 4
    static let ownerMask: UInt = ~7

    /// How often a `.wait` sender looks again before it goes to sleep.
    private static let spinLimit = Spinning.long
    /// How often one that never waits looks again before it pushes.
    private static let shortSpinLimit = Spinning.short

    @usableFromInline
    package init(contention: Contention) { isNeverWaitedFor = AtomicFlag(contention == .enqueue) }

    /// What a sender does that finds the gate taken.
    @usableFromInline
    package final var contention: Contention { isNeverWaitedFor.isRaised ? .enqueue : .wait }

    /// Has the gate do as an input does that joins it: from one that is `.enqueue` on, no sender waits.
    @usableFromInline
    package final func join(_ contention: Contention) {
        if contention == .enqueue { isNeverWaitedFor.raise() }
    }

    // MARK: Entering

    // | way in          | may wait         | performs what others have pushed | for                                        |
    // |-----------------|------------------|----------------------------------|--------------------------------------------|
    // | `enter`         | yes              | yes                              | a sender                                   |
    // | `enterIfFree`   | no               | yes                              | a sender that must not block its thread    |
    // | `enterPassively`| no               | no                               | `dispose`, a `deinit`, an observation      |
    // | `enterToObserve`| yes              | no                               | an observation of what has ended           |
    // | `enterToRead`   | yes, always      | yes                              | a reader, a `modify`                       |
    //
    // In a ``PassiveSection`` none performs what others have pushed, and only the last waits. On false the caller pushes an operation instead.

    /// Tries to become the owner, waiting if need be.
    @inlinable @inline(__always)
    package final func enter(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, .waiting)
    }

    /// Tries to become the owner without waiting.
    @inlinable
    package final func enterIfFree(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, .immediate)
    }

    /// Tries to become the owner without waiting, and without performing anything. Leave with ``leavePassively(_:)``.
    @inlinable
    package final func enterPassively(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, .passive)
    }

    /// Tries to become the owner, waiting if need be, but without performing anything: for an observer that comes after the end and gets
    /// its `interrupted` in turn. Leave with ``leavePassively(_:)``.
    @inlinable
    package final func enterToObserve(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, .waitingPassively)
    }

    /// Becomes the owner if the gate is free and nothing is left to do. Performs nothing, so the caller may hold a lock.
    @inlinable @inline(__always)
    package final func enterIfIdle(_ thread: UInt) -> Bool { word.acquire(from: 0, to: thread) }

    /// Becomes the owner, waiting even in a ``PassiveSection``: for a user who asks for a value, which cannot be handed over. False if
    /// waiting would close a cycle, or if the caller is inside.
    package final func enterToRead(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, .reading)
    }

    /// Whether some thread is inside.
    package final var isTaken: Bool { word.load() & Self.ownerMask != 0 }

    /// Whether the calling thread is inside.
    @usableFromInline
    package final var isOwnedByCaller: Bool { isOwned(by: ThreadIdentity.current) }

    @inline(__always)
    private final func isOwned(by thread: UInt) -> Bool { word.loadRelaxed() & Self.ownerMask == thread }

    /// The ways in, for the slow path.
    @frozen @usableFromInline
    enum Entry {
        case waiting, immediate, passive, waitingPassively, reading
    }

    @usableFromInline @inline(never)
    final func enterSlowly(_ thread: UInt, _ entry: Entry) -> Bool {
        // A call from inside a delivery, which is the most frequent reason to come here.
        if isOwned(by: thread) { return false }
        let isInSection = PassiveSection.isCurrent
        let isPassive: Bool
        let maySleep: Bool
        switch entry {
        case .waiting: (isPassive, maySleep) = (isInSection, !isInSection && contention == .wait)
        case .immediate: (isPassive, maySleep) = (isInSection, false)
        case .passive: (isPassive, maySleep) = (true, false)
        case .waitingPassively: (isPassive, maySleep) = (true, !isInSection && contention == .wait)
        case .reading: (isPassive, maySleep) = (isInSection, contention == .wait)
        }
        // A passive visit is over in a moment: looking again is cheaper than pushing an operation.
        for _ in 0..<(maySleep ? Self.spinLimit : Self.shortSpinLimit) {
            let seen = word.loadRelaxed()
            switch seen & Self.ownerMask {
            case 0:
                // With flags set, another thread is on its way to perform what is there: see invariant 2.
                if isPassive, !maySleep, seen != 0 { return false }
                guard word.acquire(from: seen, to: seen | thread) else { continue }
                // What was pushed before this caller came is older than what the caller brings.
                if !isPassive { performInbox() }
                return true
            case thread:
                return false
            default:
                continue
            }
        }
        guard maySleep else { return false }
        guard WaitingRoom.shared.wait(for: self, as: thread) else { return false }
        if !isPassive { performInbox() }
        return true
    }

    // MARK: Leaving

    @inlinable @inline(__always)
    package final func leave(_ thread: UInt) {
        if !word.release(from: thread, to: 0) { leaveSlowly(thread) }
    }

    /// Leaves if there is nothing to do on the way out, so the caller may hold a lock. Otherwise the caller stays inside.
    @inlinable @inline(__always)
    package final func leaveIfIdle(_ thread: UInt) -> Bool { word.release(from: thread, to: 0) }

    /// Leaves after ``enterPassively(_:)``: what other threads have pushed meanwhile is left to others.
    @inlinable @inline(__always)
    package final func leavePassively(_ thread: UInt) {
        if !word.release(from: thread, to: 0) { leaveSlowly(thread, isPassive: true) }
    }

    /// - Parameters:
    ///   - isPassive: Whether to perform the caller's own operations only; `nil` if that depends on the section.
    ///   - pushed: An operation that the caller has pushed from outside.
    @usableFromInline @inline(never)
    final func leaveSlowly(_ thread: UInt, isPassive: Bool? = nil, pushed: Unmanaged<GateOperation>? = nil) {
        let isPassive = isPassive ?? PassiveSection.isCurrent
        var removed: Unmanaged<GateDebris>?
        while true {
            let seen = word.load()
            var left: UInt = 0
            if seen & Self.inboxFlag != 0 {
                if performInbox(ownOnly: isPassive, pushed) { continue }
                left = Self.inboxFlag
            }
            if seen & Self.debrisFlag != 0 {
                removed = GateDebris.join(debris, behind: removed)
                debris = nil
                // Mostly this is all there is to do.
                if left == 0, word.release(from: thread | Self.debrisFlag, to: 0) { break }
                _ = word.clear(Self.debrisFlag)
            } else if seen & Self.waitersFlag != 0 {
                if let isAwaited = WaitingRoom.shared.leave(self, as: thread, leaving: left) {
                    // The waiter that wakes performs what is left. The flag may stand for one that has handed over.
                    if left != 0, !isAwaited { drainOnOtherThread() }
                    break
                }
            } else if word.release(from: thread | left, to: left) {
                if left != 0 { drainOnOtherThread() }
                break
            }
        }
        // Invariant 6: what was removed goes only now that the gate is free.
        while let object = removed {
            removed = object._withUnsafeGuaranteedRef { $0.next }
            object.release()
        }
    }

    // MARK: The inbox

    /// Whether something may have been pushed since the owner looked last.
    @inlinable @inline(__always)
    package final var mayHaveOperations: Bool { word.loadRelaxed() & Self.inboxFlag != 0 }

    /// Hands an operation to the owner, or performs it if there is none any more.
    @usableFromInline @inline(never)
    package final func push(_ operation: GateOperation) {
        let thread = ThreadIdentity.current
        if enterIfIdle(thread) {
            operation.perform()
            leave(thread)
            return
        }
        // The caller itself performs it before it leaves.
        if isOwned(by: thread) {
            add(operation)
            return
        }
        let pushed = Unmanaged.passUnretained(operation)
        // Whoever has set the first flag of a free gate sees to what is there.
        if add(operation) == 0 || !PassiveSection.isCurrent { settle(pushed) }
    }

    /// Adds an operation to the inbox and performs nothing, for a caller that holds a lock and calls ``settle()`` without it.
    ///
    /// - Returns: The word as it was.
    @usableFromInline @discardableResult
    package final func add(_ operation: GateOperation) -> UInt {
        operation.isPushedByOwner = isOwnedByCaller
        if !operation.isPushedByOwner || CapturedContext.isCurrent { operation.captureContext() }
        put(Unmanaged.passRetained(operation), above: operation)
        // Invariant 2. From here on another thread may have performed the operation already.
        return word.set(Self.inboxFlag)
    }

    /// Puts operations on top of the inbox: `newest`, which is linked to those before it, down to `oldest`.
    private final func put(_ newest: Unmanaged<GateOperation>, above oldest: GateOperation) {
        let bits = UInt(bitPattern: newest.toOpaque())
        while true {
            let head = inbox.loadRelaxed()
            oldest.next = Self.operation(head)
            if inbox.release(from: head, to: bits) { return }
        }
    }

    /// Performs what was added if there is no owner who will.
    ///
    /// In a ``PassiveSection`` only what the caller has pushed: the rest is left to others.
    @usableFromInline
    package final func settle() { settle(nil) }

    private final func settle(_ pushed: Unmanaged<GateOperation>?) {
        let seen = word.load()
        guard seen & Self.ownerMask == 0, seen & Self.inboxFlag != 0 else { return }
        let thread = ThreadIdentity.current
        if !PassiveSection.isCurrent {
            if enterSlowly(thread, .immediate) { leave(thread) }
        } else if word.acquire(from: seen, to: seen | thread) {
            // If this fails somebody has come, who looks after the inbox.
            leaveSlowly(thread, isPassive: true, pushed: pushed)
        }
    }

    /// Owner only. Performs what has arrived, oldest first.
    ///
    /// The flag stays set while more than one operation waits. So a delivery that is itself such an operation, and looks at the flag to
    /// learn of disposals, learns of one that waits behind it.
    ///
    /// - Parameters:
    ///   - ownOnly: Whether to stop at the first operation that another thread has pushed. That and the rest stay in the inbox.
    ///   - pushed: One that the caller has pushed, though not from inside.
    /// - Returns: Whether everything has been performed.
    @discardableResult
    private final func performInbox(ownOnly: Bool = false, _ pushed: Unmanaged<GateOperation>? = nil) -> Bool {
        guard word.clear(Self.inboxFlag) & Self.inboxFlag != 0 else { return true }
        var oldest = takeInbox()
        var isFlagged = false
        while let operation = oldest {
            // Read first: an observation may be pushed again as soon as it is performed.
            oldest = operation._withUnsafeGuaranteedRef { $0.next }
            if oldest == nil, isFlagged {
                _ = word.clear(Self.inboxFlag)
                isFlagged = false
                oldest = takeInbox()
            }
            if oldest != nil, !isFlagged {
                _ = word.set(Self.inboxFlag)
                isFlagged = true
            }
            if ownOnly, operation.toOpaque() != pushed?.toOpaque(),
                !operation._withUnsafeGuaranteedRef({ $0.isPushedByOwner })
            {
                putBack(operation, before: oldest)
                return false
            }
            operation.takeRetainedValue().perform()
        }
        return true
    }

    /// Owner only. Takes what has arrived, linked from the oldest to the newest.
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

    /// Owner only. Undoes ``takeInbox()`` for an operation and those behind it. What has arrived meanwhile comes after them.
    private final func putBack(_ operation: Unmanaged<GateOperation>, before rest: Unmanaged<GateOperation>?) {
        // Turned round, so that the newest is on top again.
        var (top, following) = (operation, rest)
        operation._withUnsafeGuaranteedRef { $0.next = nil }
        while let next = following {
            next._withUnsafeGuaranteedRef { next in
                following = next.next
                next.next = top
                // One of the caller's own, which another thread will perform after all.
                if next.isPushedByOwner {
                    next.isPushedByOwner = false
                    next.captureContext()
                }
            }
            top = next
        }
        while !inbox.release(from: 0, to: UInt(bitPattern: top.toOpaque())) {
            guard let newest = Self.operation(inbox.exchange(0)) else { continue }
            var bottom = newest
            while let next = bottom._withUnsafeGuaranteedRef({ $0.next }) { bottom = next }
            bottom._withUnsafeGuaranteedRef { $0.next = top }
            top = newest
        }
        _ = word.set(Self.inboxFlag)
    }

    private static func operation(_ bits: UInt) -> Unmanaged<GateOperation>? {
        UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
    }

    // MARK: Debris

    /// Owner only. Keeps a reference until the gate has been left.
    package final func letGoAfterLeaving(_ object: GateDebris) {
        let debris = Unmanaged.passRetained(object)
        object.next = self.debris
        self.debris = debris
        _ = word.set(Self.debrisFlag)
    }
}

/// Something that is removed while an event is in flight, and is let go of when the gate has been left. Linked, so that
/// removing it takes no memory.
@usableFromInline
@_fixed_layout
package class GateDebris {
    /// What was removed before this.
    @exclusivity(unchecked) final var next: Unmanaged<GateDebris>?

    @usableFromInline
    package init() {}

    /// Turns a list whose last object comes first, and joins it to one whose first does.
    fileprivate static func join(
        _ list: Unmanaged<GateDebris>?, behind first: Unmanaged<GateDebris>?
    ) -> Unmanaged<GateDebris>? {
        if first == nil, let list, list._withUnsafeGuaranteedRef({ $0.next }) == nil { return list }
        var (rest, turned) = (list, nil as Unmanaged<GateDebris>?)
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

/// An object that goes when the gate has been left.
package final class ObjectDebris: GateDebris {
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
    /// The queue has no bound. A sender that finds the stream idle delivers its event itself.
    case enqueue
}

extension Contention {
    /// That of something with several inputs: it is `.enqueue` if one of them is.
    @inlinable
    package func joined(with other: Contention) -> Contention {
        if case .enqueue = self { self } else { other }
    }
}

extension Sequence<Contention> {
    /// That of something with these inputs.
    @inlinable
    package func joined() -> Contention { reduce(.wait) { $0.joined(with: $1) } }
}

/// The one primitive that serialises: at any time at most one thread is inside, and what arrives meanwhile waits,
/// queues, or is handed over. Nothing else in the project puts events in order.
///
/// # The word
/// One atomic word holds the identity of the thread inside (0 when the gate is free) and three flags:
///
/// | flag      | meaning                                                | set by                  | cleared by          |
/// |-----------|--------------------------------------------------------|-------------------------|---------------------|
/// | `inbox`   | the inbox may hold operations                          | who pushed, after it    | the owner, before it takes the inbox |
/// | `waiters` | threads sleep in the ``WaitingRoom`` for this gate     | a waiter, under the room's lock | the owner, under the room's lock |
/// | `debris`  | the owner has references to let go of after leaving    | the owner               | the owner           |
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
/// - **Free with flags** (a push raced with the way out): whoever sees it enters and performs what is there.
///
/// # Invariants
/// 1. Everything that "owner only" marks is touched by the thread in the word and by no other.
/// 2. An operation that was pushed is performed: the pusher sets `inbox` by a read-modify-write *after* the push, even
///    if the flag reads as set. Either the owner's way out fails on it, or the pusher finds the gate free and enters.
/// 3. The owner clears `inbox` before it takes the inbox, so a flag that is clear has no operation behind it.
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
    private static let spinLimit = 100

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

    /// Tries to become the owner, waiting if need be. On false the caller pushes an operation instead.
    @inlinable @inline(__always)
    package final func enter(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, maySleep: true)
    }

    /// Like ``enter(_:)`` for those who must never wait.
    @inlinable
    package final func enterIfFree(_ thread: UInt) -> Bool {
        word.acquire(from: 0, to: thread) || enterSlowly(thread, maySleep: false)
    }

    /// Whether some thread is inside.
    package final var isTaken: Bool { word.load() & Self.ownerMask != 0 }

    /// Whether the calling thread is inside.
    @usableFromInline
    package final var isOwnedByCaller: Bool { word.loadRelaxed() & Self.ownerMask == ThreadIdentity.current }

    @usableFromInline @inline(never)
    final func enterSlowly(_ thread: UInt, maySleep: Bool) -> Bool {
        for _ in 0..<Self.spinLimit {
            let seen = word.loadRelaxed()
            switch seen & Self.ownerMask {
            case 0:
                guard word.acquire(from: seen, to: seen | thread) else { continue }
                // What was pushed before this caller came is older than what the caller brings.
                performInbox()
                return true
            case thread:
                return false
            default:
                guard maySleep, contention == .wait else { return false }
            }
        }
        guard maySleep, contention == .wait else { return false }
        guard WaitingRoom.shared.wait(for: self, as: thread) else { return false }
        performInbox()
        return true
    }

    // MARK: Leaving

    @inlinable @inline(__always)
    package final func leave(_ thread: UInt) {
        if !word.release(from: thread, to: 0) { leaveSlowly(thread) }
    }

    @usableFromInline @inline(never)
    final func leaveSlowly(_ thread: UInt) {
        var removed: Unmanaged<GateDebris>?
        while true {
            let seen = word.load()
            if seen & Self.inboxFlag != 0 {
                performInbox()
            } else if seen & Self.debrisFlag != 0 {
                removed = GateDebris.join(debris, behind: removed)
                debris = nil
                // Mostly this is all there is to do.
                if word.release(from: thread | Self.debrisFlag, to: 0) { break }
                _ = word.clear(Self.debrisFlag)
            } else if seen & Self.waitersFlag != 0 {
                if WaitingRoom.shared.leave(self, as: thread) { break }
            } else if word.release(from: thread, to: 0) {
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
    final var mayHaveOperations: Bool { word.loadRelaxed() & Self.inboxFlag != 0 }

    /// Hands an operation to the owner, or performs it if there is none any more.
    @usableFromInline @inline(never)
    package final func push(_ operation: GateOperation) {
        add(operation)
        settle()
    }

    /// Adds an operation to the inbox and performs nothing, for one who holds a lock and calls ``settle()`` without it.
    @usableFromInline
    package final func add(_ operation: GateOperation) {
        let pushed = Unmanaged.passRetained(operation)
        let bits = UInt(bitPattern: pushed.toOpaque())
        while true {
            let head = inbox.loadRelaxed()
            operation.next = UnsafeRawPointer(bitPattern: head).map { .fromOpaque($0) }
            if inbox.release(from: head, to: bits) { break }
        }
        // Invariant 2. From here on another thread may have performed the operation already.
        _ = word.set(Self.inboxFlag)
    }

    /// Performs what was added if there is no owner who will.
    @usableFromInline
    package final func settle() {
        guard word.load() & Self.ownerMask == 0 else { return }
        let thread = ThreadIdentity.current
        if enterSlowly(thread, maySleep: false) { leave(thread) }
    }

    /// Becomes the owner if the gate is free and nothing is left to do. Performs nothing, so that one may call it who holds a
    /// lock.
    @inlinable @inline(__always)
    package final func enterIfIdle(_ thread: UInt) -> Bool { word.acquire(from: 0, to: thread) }

    /// Owner only. Performs what has arrived, oldest first. What arrives meanwhile is for the next call.
    private final func performInbox() {
        guard word.clear(Self.inboxFlag) & Self.inboxFlag != 0 else { return }
        // The inbox has its newest operation on top.
        var newest = Self.operation(inbox.exchange(0))
        var oldest: Unmanaged<GateOperation>?
        while let operation = newest {
            newest = operation._withUnsafeGuaranteedRef { $0.next }
            operation._withUnsafeGuaranteedRef { $0.next = oldest }
            oldest = operation
        }
        while let operation = oldest {
            // Read first: an observation may be pushed again as soon as it is performed.
            oldest = operation._withUnsafeGuaranteedRef { $0.next }
            operation.takeRetainedValue().perform()
        }
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

/// What a sender does that finds a delivery in flight on another thread.
public enum Contention: Sendable {
    /// It waits until the event in flight has been handled, as with a lock, except where the waiting would close a
    /// cycle of threads: then the thread in delivery delivers for it.
    case wait
    /// It never waits: the thread in delivery delivers for it.
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

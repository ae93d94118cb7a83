#if Explore
import HotSignals
#else
package import HotSignals
#endif

/// The threads that are in a ``PureSection``, with the sections of each.
///
/// Each set looks up its thread here, so it takes only a few instructions to learn that a thread is not in the table.
/// Threads are spread over slots. A thread that finds its slot taken is kept in a dictionary instead.
@frozen @usableFromInline
struct SectionTable: @unchecked Sendable {
    #if Explore
    // Sendable: a thread sees only its own object. (Each access to a slot would be a step of the exploration.)
    @usableFromInline static let shared = SectionTable()
    private static let local = ThreadLocal<PureSection.Stack>()

    private init() { PassiveSection.include { Self.local.value != nil } }

    @usableFromInline
    func mayContain(_ thread: UInt) -> Bool { Self.local.value != nil }

    @usableFromInline
    func contains(_ thread: UInt) -> Bool { Self.local.value != nil }

    func stack(of thread: UInt) -> PureSection.Stack? { Self.local.value }

    func enter(_ thread: UInt) -> Unmanaged<PureSection.Stack> {
        let stack = Self.local.value ?? PureSection.Stack()
        Self.local.value = stack
        return .passUnretained(stack)
    }

    func leave(_ thread: UInt) { Self.local.value = nil }
    #else
    // Sendable: the thread in a slot is the only one that uses the slot's object.

    /// Fills a cache line, so that threads do not slow each other down.
    @usableFromInline
    struct Slot: ~Copyable {
        /// The thread, or 0.
        @usableFromInline let thread = AtomicWord(0)
        /// The number of threads that have found the slot taken, and are in the dictionary.
        @usableFromInline let others = AtomicWord(0)
        /// A retained reference. Stays for the next thread in the slot.
        var stack: Unmanaged<PureSection.Stack>?
        private let padding: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

        init() {}
    }

    @usableFromInline let slots: UnsafeMutablePointer<Slot>

    /// Never released.
    @usableFromInline static let shared = SectionTable()
    private static let others = Locked<[UInt: PureSection.Stack]>([:])
    private static let bits = 8

    private init() {
        slots = .allocate(capacity: 1 << Self.bits)
        for place in 0..<(1 << Self.bits) { (slots + place).initialize(to: Slot()) }
        PassiveSection.include { SectionTable.shared.contains(ThreadIdentity.current) }
    }

    @_alwaysEmitIntoClient @inline(__always)
    func slot(of thread: UInt) -> UnsafeMutablePointer<Slot> {
        // The control blocks of threads are far apart. The highest bits of the product depend on all of the address.
        slots + Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: thread) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    /// False if the calling thread is in no section. Almost never true otherwise.
    @_alwaysEmitIntoClient @inline(__always)
    func mayContain(_ thread: UInt) -> Bool {
        let slot = slot(of: thread)
        return slot.pointee.thread.loadRelaxed() | slot.pointee.others.loadRelaxed() != 0
    }

    /// Whether the calling thread is in a section.
    @usableFromInline
    func contains(_ thread: UInt) -> Bool { mayContain(thread) && stack(of: thread) != nil }

    /// The sections of the calling thread, if it is in any.
    func stack(of thread: UInt) -> PureSection.Stack? {
        let slot = slot(of: thread)
        if slot.pointee.thread.loadRelaxed() == thread { return slot.pointee.stack?.takeUnretainedValue() }
        return slot.pointee.others.loadRelaxed() == 0 ? nil : Self.others.withLock { $0[thread] }
    }

    /// Adds the calling thread, unless it is in the table, and returns its sections.
    @inline(__always)
    func enter(_ thread: UInt) -> Unmanaged<PureSection.Stack> {
        let slot = slot(of: thread)
        if slot.pointee.others.loadRelaxed() == 0,
            slot.pointee.thread.loadRelaxed() == thread
                || slot.pointee.thread.compareExchangeAcquiring(from: 0, to: thread),
            let stack = slot.pointee.stack
        {
            return stack
        }
        return enterSlowly(thread)
    }

    @inline(never)
    private func enterSlowly(_ thread: UInt) -> Unmanaged<PureSection.Stack> {
        if let stack = stack(of: thread) { return .passUnretained(stack) }
        let (slot, stack) = (slot(of: thread), PureSection.Stack())
        if slot.pointee.thread.loadRelaxed() == thread
            || slot.pointee.thread.compareExchangeAcquiring(from: 0, to: thread)
        {
            let found = slot.pointee.stack ?? .passRetained(stack)
            slot.pointee.stack = found
            return found
        }
        _ = slot.pointee.others.acquire(adding: 1)
        Self.others.withLock { $0[thread] = stack }
        return .passUnretained(stack)
    }

    /// Removes the calling thread.
    @inline(__always)
    func leave(_ thread: UInt) {
        let slot = slot(of: thread)
        if slot.pointee.thread.loadRelaxed() == thread { slot.pointee.thread.store(0) } else { leaveSlowly(thread) }
    }

    @inline(never)
    private func leaveSlowly(_ thread: UInt) {
        guard let stack = Self.others.withLock({ $0.removeValue(forKey: thread) }) else { return }
        _ = slot(of: thread).pointee.others.release(subtracting: 1)
        // Released without the lock.
        withExtendedLifetime(stack) {}
    }
    #endif
}

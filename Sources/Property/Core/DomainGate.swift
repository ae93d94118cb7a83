package import HotSignals

/// What a thread owns while it computes in a domain, or runs a body there.
///
/// Unlike a ``Gate`` it delivers nothing, and a thread that wants it waits: it has nothing to hand over. The owner runs
/// closures and bodies, which set nothing, and which wait for no other gate: see ``PureSection``. So threads that wait
/// for domains, in their order, form no cycle.
///
/// A thread that must not wait leaves its work to the owner. When the owner leaves, a thread of the library performs
/// it: the owner may be in a disposal, may hold a lock of the user, or may be inside the gate of a signal. Only upkeep,
/// which runs no code of the user, is performed by the owner itself, before another thread can enter.
@usableFromInline
@_fixed_layout
package class DomainGate: @unchecked Sendable {
    // Sendable: the lock guards the variable.

    /// Work that is left to the owner.
    @usableFromInline
    enum Deferred: Sendable {
        case work(CapturedContext, @Sendable () -> Void)
        /// Returns what follows from it, for a thread of the library.
        case upkeep(@Sendable () -> @Sendable () -> Void)

        /// Performs upkeep, and returns the rest of the work. That retains everything, so that nothing is released
        /// here.
        func begin() -> @Sendable () -> Void {
            switch self {
            case .work(let context, let work): return { context.run(work) }
            case .upkeep(let upkeep):
                let rest = upkeep()
                return {
                    rest()
                    withExtendedLifetime(upkeep) {}
                }
            }
        }
    }

    @usableFromInline final let word = AtomicWord(0)
    private final let deferring = WordLock()
    @exclusivity(unchecked) private final var deferred: [Deferred] = []

    private static let deferredFlag: UInt = 1
    private static let waitersFlag: UInt = 2
    /// A waiter has been overtaken several times: only threads that have been waiting may enter.
    private static let urgentFlag: UInt = 4
    private static let ownerMask: UInt = ~7
    /// How often a waiter can be overtaken.
    private static let patience = 3

    init() {}

    // MARK: Entering

    /// Waits until the caller owns the gate, which it must not own yet.
    @_alwaysEmitIntoClient @inline(__always)
    final func enter(_ thread: UInt) { if !enterIfIdle(thread) { enterSlowly(thread) } }

    @_alwaysEmitIntoClient @inline(__always)
    final func enterIfIdle(_ thread: UInt) -> Bool { word.compareExchangeAcquiring(from: 0, to: thread) }

    @usableFromInline @inline(never)
    final func enterSlowly(_ thread: UInt) {
        for _ in 0..<Spinning.long where word.loadRelaxed() == 0 { if enterIfIdle(thread) { return } }
        var failures = 0
        let isEntered = WaitingRoom.shared.wait(for: self, as: thread) {
            while true {
                let seen = word.load()
                if seen & Self.ownerMask == 0, seen & Self.urgentFlag == 0 || failures > 0 {
                    // Others may be waiting.
                    let new = seen & Self.deferredFlag | thread | Self.waitersFlag
                    if word.compareExchangeAcquiring(from: seen, to: new) { return false }
                    continue
                }
                let flags = Self.waitersFlag | (failures >= Self.patience ? Self.urgentFlag : 0)
                if word.compareExchangeAcquiring(from: seen, to: seen | flags) {
                    failures += 1
                    return true
                }
            }
        }
        if !isEntered { trap("threads wait for each other, among them one that sets a property") }
    }

    /// Enters if the gate is free.
    final func enterIfFree(_ thread: UInt) -> Bool { enterIfIdle(thread) || tryToEnter(thread, elseSet: 0) }

    /// Enters if the gate is free. Otherwise a thread of the library performs `work` later.
    final func enterIfFree(_ thread: UInt, otherwise work: @escaping @Sendable () -> Void) -> Bool {
        enterIfIdle(thread) || enterIfFree(thread, .work(CapturedContext(), work))
    }

    /// Enters if the gate is free. Otherwise the owner performs `upkeep` before it leaves.
    final func enterIfFree(_ thread: UInt, orLeave upkeep: @escaping @Sendable () -> @Sendable () -> Void) -> Bool {
        enterIfIdle(thread) || enterIfFree(thread, .upkeep(upkeep))
    }

    private final func enterIfFree(_ thread: UInt, _ otherwise: Deferred) -> Bool {
        deferring.lock()
        let isEntered = tryToEnter(thread, elseSet: Self.deferredFlag)
        if !isEntered { deferred.append(otherwise) }
        deferring.unlock()
        return isEntered
    }

    /// - Parameter flag: Set if the gate is taken.
    private final func tryToEnter(_ thread: UInt, elseSet flag: UInt) -> Bool {
        while true {
            let seen = word.load()
            let isFree = seen & Self.ownerMask == 0
            if !isFree, flag == 0 { return false }
            if word.compareExchangeAcquiring(from: seen, to: seen | (isFree ? thread : flag)) { return isFree }
        }
    }

    /// Performs `work`, now if the gate is free.
    ///
    /// - Parameter work: Receives whether it may wait.
    package final func whenFree(_ work: @escaping @Sendable (_ mayWait: Bool) -> Void) {
        let thread = ThreadIdentity.current
        guard enterIfFree(thread, otherwise: { work(true) }) else { return }
        leave(thread)
        work(false)
    }

    @usableFromInline
    final var isOwnedByCaller: Bool { isOwned(by: ThreadIdentity.current) }

    @_alwaysEmitIntoClient @inline(__always)
    final func isOwned(by thread: UInt) -> Bool { word.loadRelaxed() & ~7 == thread }

    /// Whether the owner is that of `other`. Only for the owner of `other`.
    @_alwaysEmitIntoClient @inline(__always)
    final func hasOwner(of other: DomainGate) -> Bool { (word.loadRelaxed() ^ other.word.loadRelaxed()) & ~7 == 0 }

    // MARK: Leaving

    /// No lock may be held.
    @_alwaysEmitIntoClient @inline(__always)
    final func leave(_ thread: UInt) { if !leaveIfIdle(thread) { leaveSlowly() } }

    @_alwaysEmitIntoClient @inline(__always)
    final func leaveIfIdle(_ thread: UInt) -> Bool { word.compareExchangeReleasing(from: thread, to: 0) }

    @usableFromInline @inline(never)
    final func leaveSlowly() {
        var rest: [@Sendable () -> Void] = []
        while true {
            let seen = word.load()
            if seen & Self.deferredFlag != 0 {
                for work in takeDeferred() { rest.append(work.begin()) }
            } else if seen & Self.waitersFlag == 0 {
                if word.compareExchangeReleasing(from: seen, to: 0) { break }
            } else {
                // The thread that is woken wakes the next one when it leaves.
                let isLeft = WaitingRoom.shared.leave(self) { isAwaited in
                    let flags = isAwaited ? seen & (Self.waitersFlag | Self.urgentFlag) : 0
                    return word.compareExchangeReleasing(from: seen, to: flags)
                }
                if isLeft { break }
            }
        }
        // One of them may run code of the user, for which the others do not wait.
        for work in rest { LibraryThread.run(work) }
    }

    private final func takeDeferred() -> [Deferred] {
        deferring.lock()
        defer { deferring.unlock() }
        _ = word.clear(Self.deferredFlag)
        let all = deferred
        deferred = []
        return all
    }
}

extension DomainGate: Awaited {
    package final var holder: UInt { word.load() & Self.ownerMask }
}

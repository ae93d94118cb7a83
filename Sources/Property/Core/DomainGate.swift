package import HotSignals

/// What a thread owns while it computes in a domain, or runs a body there.
///
/// Unlike a ``Gate`` it delivers nothing, and a thread that wants it waits: it has nothing to hand over. The owner runs
/// closures and bodies, which set nothing (see ``PureSection``) and read without waiting. If one of them sends into a
/// stream, the owner can wait for the gate of that. So in a cycle of waiting threads at least one waits for a gate, and
/// hands its event over.
///
/// A thread that must not wait leaves its work to the owner, which performs it when it owns no domain any more. Upkeep,
/// which calls no code of users, is performed before the next thread enters.
@usableFromInline
@_fixed_layout
package final class DomainGate: @unchecked Sendable {
    // Sendable: the lock guards the variable.

    /// Work that is left to the owner.
    @usableFromInline
    struct Deferred: Sendable {
        private let context: CapturedContext?
        private let work: @Sendable () -> Void

        var isUpkeep: Bool { context == nil }

        init(_ work: @escaping @Sendable () -> Void, isUpkeep: Bool = false) {
            self.work = work
            context = isUpkeep ? nil : CapturedContext()
        }

        /// Call it once, when the caller owns no domain that it has entered itself.
        func perform() { PureSection.afterwards(self) }

        /// The same outside of sections.
        func performNow() { if let context { context.run(work) } else { work() } }
    }

    @usableFromInline let word = AtomicWord(0)
    private let lock = WordLock()
    @exclusivity(unchecked) private var deferred: [Deferred] = []

    private static let deferredFlag: UInt = 1
    private static let waitersFlag: UInt = 2
    /// A waiter has been overtaken several times, and no other thread may enter.
    private static let urgentFlag: UInt = 4
    private static let ownerMask: UInt = ~7
    /// How often a waiter can be overtaken.
    private static let patience = 3

    @usableFromInline
    init() {}

    // MARK: Entering

    /// Waits until the caller owns the gate, which it must not own yet.
    @_alwaysEmitIntoClient @inline(__always)
    func enter(_ thread: UInt) { if !enterIfIdle(thread) { enterSlowly(thread) } }

    @_alwaysEmitIntoClient @inline(__always)
    func enterIfIdle(_ thread: UInt) -> Bool { word.compareExchangeAcquiring(from: 0, to: thread) }

    @usableFromInline @inline(never)
    func enterSlowly(_ thread: UInt) {
        for _ in 0..<Spinning.long where word.loadRelaxed() == 0 { if enterIfIdle(thread) { return } }
        var failures = 0
        let isEntered = WaitingRoom.shared.wait(for: self, as: thread) {
            while true {
                let seen = word.load()
                if seen & Self.ownerMask == 0, seen & Self.urgentFlag == 0 || failures > Self.patience {
                    // Others may be waiting.
                    if word.compareExchangeAcquiring(from: seen, to: thread | Self.waitersFlag) { return false }
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

    /// Enters if the gate is free. Otherwise the owner performs `work` later, unless that is `nil`.
    func enterIfFree(_ thread: UInt, otherwise work: (@Sendable () -> Void)?, isUpkeep: Bool = false) -> Bool {
        if enterIfIdle(thread) { return true }
        guard let work else { return tryToEnter(thread, elseSet: 0) }
        let new = Deferred(work, isUpkeep: isUpkeep)
        lock.lock()
        let isEntered = tryToEnter(thread, elseSet: Self.deferredFlag)
        if !isEntered { deferred.append(new) }
        lock.unlock()
        return isEntered
    }

    /// - Parameter flag: Set if the gate is taken.
    private func tryToEnter(_ thread: UInt, elseSet flag: UInt) -> Bool {
        while true {
            let seen = word.load()
            let isFree = seen & Self.ownerMask == 0
            if !isFree, flag == 0 { return false }
            if word.compareExchangeAcquiring(from: seen, to: seen | (isFree ? thread : flag)) { return isFree }
        }
    }

    /// Only for the owner. Performs work when the gate has been left.
    func add(_ work: Deferred) {
        lock.lock()
        deferred.append(work)
        _ = word.set(Self.deferredFlag)
        lock.unlock()
    }

    /// Performs `work`, now if the gate is free.
    package func whenFree(_ work: @escaping @Sendable () -> Void) {
        let thread = ThreadIdentity.current
        guard enterIfFree(thread, otherwise: work) else { return }
        leave(thread)
        work()
    }

    @usableFromInline
    var isOwnedByCaller: Bool { isOwned(by: ThreadIdentity.current) }

    @_alwaysEmitIntoClient @inline(__always)
    func isOwned(by thread: UInt) -> Bool { word.loadRelaxed() & ~7 == thread }

    /// Whether the owner is that of `other`. Only for the owner of `other`.
    @_alwaysEmitIntoClient @inline(__always)
    func hasOwner(of other: DomainGate) -> Bool { (word.loadRelaxed() ^ other.word.loadRelaxed()) & ~7 == 0 }

    // MARK: Leaving

    /// Leaves, and performs what others have left to the owner. The caller must own no other domain.
    @_alwaysEmitIntoClient @inline(__always)
    func leave(_ thread: UInt) { if !leaveIfIdle(thread) { leaveAndPerform() } }

    @_alwaysEmitIntoClient @inline(__always)
    func leaveIfIdle(_ thread: UInt) -> Bool { word.compareExchangeReleasing(from: thread, to: 0) }

    @usableFromInline @inline(never)
    func leaveAndPerform() { for work in leaveSlowly() { work.perform() } }

    /// Leaves, and returns what others have left to the owner, except upkeep. No lock may be held.
    func leaveSlowly() -> [Deferred] {
        var rest: [Deferred] = []
        while true {
            let seen = word.load()
            if seen & Self.deferredFlag != 0 {
                for work in takeDeferred() { if work.isUpkeep { work.performNow() } else { rest.append(work) } }
            } else if word.compareExchangeReleasing(from: seen, to: seen & Self.urgentFlag) {
                if seen & Self.waitersFlag != 0 { WaitingRoom.shared.wake(for: self) }
                return rest
            }
        }
    }

    private func takeDeferred() -> [Deferred] {
        lock.lock()
        defer { lock.unlock() }
        _ = word.clear(Self.deferredFlag)
        let all = deferred
        deferred = []
        return all
    }
}

extension DomainGate: Awaited {
    package var holder: UInt { word.load() & Self.ownerMask }
}

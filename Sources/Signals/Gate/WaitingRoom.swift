#if Explore
import InterleavingExplorer
#endif

/// Something that threads wait for while another thread is busy with it: a gate, or the evaluation of a memo.
package protocol Awaited: AnyObject, Sendable {
    /// The thread that is busy with it, or 0 if none is. Read under the lock of the ``WaitingRoom``.
    var holder: UInt { get }
}

extension Gate: Awaited {
    package final var holder: UInt { word.load() & Self.ownerMask }
}

/// Where threads sleep while they wait for a gate or a memo, and where cycles among them are detected. Reached on slow
/// paths only.
///
/// The waits of all threads form one graph: from a thread to what it waits for, and from there to the thread that is
/// busy with it. A sleeping thread cannot leave a gate or finish a memo. So a cycle is complete only when its last
/// thread is about to sleep, and it does not change from then on. Registering and searching under one process-wide lock
/// ensures that this last thread sees the cycle. One of the threads in the cycle must not sleep:
///
/// - A thread that wants a gate can continue without it, by handing its event over to the owner. If the last thread of
///   a cycle wants a gate, it does so itself.
/// - A thread that wants a memo cannot continue without the value. If it is the last one, it sleeps anyway, and wakes a
///   thread in the cycle that wants a gate, so that this thread hands over.
/// - If all threads of a cycle want memos, there is no way out, and the caller traps.
///
/// A woken thread stays registered until it holds the lock again. If its gate has been taken meanwhile, the search
/// continues from the new owner. That is correct, since the woken thread will check again and sleep again. A thread
/// that has been told to hand over does not sleep again, so it is no longer part of a cycle.
package final class WaitingRoom: Sendable {
    #if Explore
    package static var shared: WaitingRoom { ExploredBackground.own { WaitingRoom() } }
    #else
    package static let shared = WaitingRoom()
    #endif

    /// A thread in the room.
    private final class Waiter {
        let target: any Awaited
        let thread: UInt
        /// Whether the thread can continue without what it waits for.
        let canHandOver: Bool
        /// Whether the thread continues without the gate when that is offered.
        let stopsIfOffered: Bool
        let condition = Condition()
        /// Whether the thread should check the gate, for the first time or again.
        var isWoken = true
        /// Whether the thread should continue without the gate, unless it finds the gate free.
        var mustHandOver = false
        /// How often the thread has found the gate taken.
        var failures = 0
        /// What threads that have left the gate wait for until this one has checked it again.
        var checking: Condition?

        init(for target: any Awaited, _ thread: UInt, canHandOver: Bool, stopsIfOffered: Bool = false) {
            self.target = target
            self.thread = thread
            self.canHandOver = canHandOver
            self.stopsIfOffered = stopsIfOffered
        }
    }

    /// A class, so that a woken thread sees what other threads changed while it slept.
    private final class Register {
        var byThread: [UInt: Waiter] = [:]
        /// In the order of arrival.
        var byTarget: [ObjectIdentifier: [Waiter]] = [:]

        /// Adds a waiter that is not registered yet.
        func add(_ waiter: Waiter) {
            guard byThread[waiter.thread] == nil else { return }
            byThread[waiter.thread] = waiter
            byTarget[ObjectIdentifier(waiter.target), default: []].append(waiter)
        }

        func remove(_ waiter: Waiter) {
            byThread[waiter.thread] = nil
            let key = ObjectIdentifier(waiter.target)
            byTarget[key]?.removeAll { $0 === waiter }
            if byTarget[key]?.isEmpty == true { byTarget[key] = nil }
        }

        func waiters(for target: any Awaited) -> [Waiter] { byTarget[ObjectIdentifier(target)] ?? [] }

        /// Wakes those that stop waiting for a gate which has been offered.
        func alert(_ gate: Gate, besides other: Waiter? = nil) {
            for waiter in waiters(for: gate) where waiter.stopsIfOffered && waiter !== other {
                waiter.isWoken = true
                waiter.condition.signal()
            }
        }

        /// Follows the waits from the holder of `target`. Returns the waiters on the path back to `thread`, or `nil` if
        /// the path does not lead there.
        func cycle(from target: any Awaited, to thread: UInt) -> [Waiter]? {
            var target = target
            var cycle: [Waiter] = []
            // No thread occurs twice in a chain of sleepers, so the size of the register bounds the search.
            for _ in 0...byThread.count {
                let holder = target.holder
                if holder == thread { return cycle }
                guard let waiter = byThread[holder], !waiter.mustHandOver else { return nil }
                cycle.append(waiter)
                target = waiter.target
            }
            return nil
        }
    }

    private let register = Waitable(Register())

    // MARK: Gates

    /// Waits until the caller owns the gate. Returns false if waiting closes a cycle, immediately or later, or if it
    /// stops.
    ///
    /// - Parameter stopsIfOffered: Whether to stop if the owner offers the gate.
    func wait(for gate: Gate, as thread: UInt, stopsIfOffered: Bool) -> Bool {
        let watches = WaitWatch.begin(gate, .thread)
        defer { WaitWatch.end(watches) }
        let waiter = Waiter(for: gate, thread, canHandOver: true, stopsIfOffered: stopsIfOffered)
        return register.withLock(waitingOn: waiter.condition) { register in
            // A spurious wakeup.
            guard waiter.isWoken else { return nil }
            register.add(waiter)
            // A thread that must hand over checks the gate first, too. It may have been the one that was woken when the
            // gate became free. Otherwise the flag must be set for the threads that continue to sleep.
            var isOwner = tryToEnter(gate, thread, register)
            // Now that the flag is set: this thread sees the offer, or the thread that offers sees the flag. This one
            // may be the only one that was woken.
            let isOffered = isOwner != true && gate.isOffered
            if isOffered { register.alert(gate, besides: waiter) }
            if isOwner == nil, isOffered && stopsIfOffered || waiter.mustHandOver { isOwner = false }
            waiter.isWoken = false
            waiter.failures += 1
            waiter.checking?.signal()
            guard let isOwner else { return nil }
            register.remove(waiter)
            return isOwner
        }
    }

    /// Call under the lock. Returns true if the caller has become the gate's owner, false if it must hand over, and
    /// `nil` if it must sleep. In the last case the gate cannot become free without the lock.
    private func tryToEnter(_ gate: Gate, _ thread: UInt, _ register: Register) -> Bool? {
        while true {
            let seen = gate.word.load()
            if seen & Gate.ownerMask == 0 {
                // The flag stays set for the threads that continue to sleep.
                let others = register.waiters(for: gate).count > 1
                let flags = (seen & ~Gate.waitersFlag) | (others ? Gate.waitersFlag : 0)
                if gate.word.compareExchangeAcquiring(from: seen, to: flags | thread) { return true }
            } else if seen & Gate.waitersFlag != 0
                || gate.word.compareExchangeAcquiring(from: seen, to: seen | Gate.waitersFlag)
            {
                return register.cycle(from: gate, to: thread) == nil ? nil : false
            }
        }
    }

    /// Frees the gate and wakes its first waiter.
    ///
    /// - Parameters:
    ///   - flags: The flags that stay set, for the waiter to handle.
    ///   - mayYield: Whether to let a waiter that was overtaken several times check the gate before this thread can
    ///     enter it again.
    /// - Returns: Whether there was a waiter, or `nil` if the owner has more to do first.
    func leave(_ gate: Gate, as thread: UInt, leaving flags: UInt, mayYield: Bool) -> Bool? {
        var overtaken: Waiter?
        let isAwaited = register.withLock { register -> Bool? in
            guard gate.word.compareExchangeReleasing(from: thread | Gate.waitersFlag | flags, to: flags) else {
                return nil
            }
            guard let first = register.waiters(for: gate).first else { return false }
            first.isWoken = true
            first.condition.signal()
            if mayYield, first.failures > Self.patience { overtaken = first }
            return true
        }
        if let overtaken { yield(to: overtaken) }
        return isAwaited
    }

    /// How often a waiter can be overtaken before the threads that leave the gate yield to it.
    private static let patience = 3

    /// Waits until a woken thread has checked its gate. That thread needs nothing but the lock of the room for it, so
    /// this cannot close a cycle. Without it, a thread that leaves and enters all the time would overtake it for ever:
    /// waking up takes longer than entering again.
    private func yield(to waiter: Waiter) {
        let checking = register.withLock { _ in
            let checking = waiter.checking ?? Condition()
            waiter.checking = checking
            return checking
        }
        register.withLock(waitingOn: checking) { _ -> Void? in
            if waiter.isWoken { return nil }
            // Several threads may be waiting.
            checking.signal()
            return ()
        }
    }

    /// Lets threads stop waiting for a gate, because its owner has offered it.
    package func alert(_ gate: Gate) { register.withLock { $0.alert(gate) } }

    // MARK: Memos

    /// Waits until a memo has its value. Returns false immediately if all threads of a cycle wait for memos.
    ///
    /// - Parameter isPending: Called under the lock. Whether the memo still has no value. If so, the memo calls
    ///   ``wake(for:)`` once it has one.
    package func wait(for memo: any Awaited, as thread: UInt, while isPending: () -> Bool) -> Bool {
        let waiter = Waiter(for: memo, thread, canHandOver: false)
        return register.withLock(waitingOn: waiter.condition) { register in
            guard isPending() else {
                register.remove(waiter)
                return true
            }
            register.add(waiter)
            guard let cycle = register.cycle(from: memo, to: thread) else { return nil }
            guard let sender = cycle.first(where: \.canHandOver) else {
                register.remove(waiter)
                return false
            }
            sender.mustHandOver = true
            sender.isWoken = true
            sender.condition.signal()
            return nil
        }
    }

    /// Frees what threads wait for as for a memo, and wakes the first of them. It frees it in turn.
    ///
    /// - Parameter free: Called under the lock, with whether any thread waits. Returns `false` if the caller has more
    ///   to do first.
    /// - Returns: What `free` has returned.
    package func leave(_ target: any Awaited, _ free: (_ isAwaited: Bool) -> Bool) -> Bool {
        register.withLock { register in
            let first = register.waiters(for: target).first
            guard free(first != nil) else { return false }
            first?.condition.signal()
            return true
        }
    }

    /// Wakes all threads that wait for a memo, which now has its value.
    package func wake(for memo: any Awaited) {
        register.withLock { register in
            for waiter in register.waiters(for: memo) { waiter.condition.signal() }
        }
    }
}

#if Explore
import InterleavingExplorer
#endif

/// Something that threads wait for while another thread is busy with it: a gate, or the evaluation of a memo.
package protocol Awaited: AnyObject, Sendable {
    /// The thread that is busy with it; 0 if none is. Read under the lock of the ``WaitingRoom``.
    var holder: UInt { get }
}

extension Gate: Awaited {
    package final var holder: UInt { word.load() & Self.ownerMask }
}

/// Where threads sleep that wait for a gate or for a memo, and where cycles among them are found. Reached on slow paths
/// only.
///
/// The waits of all threads form one graph: from a thread to what it waits for, and from there to the thread that is
/// busy with it. A sleeping thread cannot leave a gate or finish a memo. So a cycle is complete only when its last
/// thread is about to sleep, and does not change from then on. Registering and searching under one lock for the whole
/// process makes that last thread see it. One of the threads in the cycle must not sleep:
///
/// - A thread that wants a gate can do without: it hands its event over to the owner. If the last thread of a cycle
///   wants a gate, it does so itself.
/// - A thread that wants a memo cannot go on without the value. If it is the last one, it sleeps all the same, and
///   wakes a thread in the cycle that wants a gate, so that this one hands over.
/// - If all threads of a cycle want memos, there is no way out, and the caller traps.
///
/// A thread that has been woken stays registered until it has the lock again: if its gate has been taken meanwhile, the
/// search goes on from the new owner, and that is right, since the woken thread will look again and sleep again. One
/// that has been told to hand over does not sleep again, so it is no part of a cycle any more.
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
        /// Whether the thread can go on without what it waits for.
        let canHandOver: Bool
        let condition = Condition()
        /// Whether it is to look at the gate (again).
        var isWoken = true
        /// Whether it is to go on without the gate, unless it finds it free.
        var mustHandOver = false

        init(for target: any Awaited, _ thread: UInt, canHandOver: Bool) {
            self.target = target
            self.thread = thread
            self.canHandOver = canHandOver
        }
    }

    /// A class, so that what another thread changes while this one sleeps is read anew.
    private final class Register {
        var byThread: [UInt: Waiter] = [:]
        /// In the order of arrival.
        var byTarget: [ObjectIdentifier: [Waiter]] = [:]

        /// Adds a waiter that is not there yet.
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

        /// Follows the waits from the holder of `target`. Returns the waiters on the way back to `thread`; nil if it
        /// does not lead there.
        func cycle(from target: any Awaited, to thread: UInt) -> [Waiter]? {
            var target = target
            var cycle: [Waiter] = []
            // Nobody can come up twice in a chain of sleepers, so the register's size bounds it.
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

    private let register = Locked(Register())

    // MARK: Gates

    /// Waits until the caller owns the gate. False if that would close a cycle, at once or as soon as it does.
    func wait(for gate: Gate, as thread: UInt) -> Bool {
        let waiter = Waiter(for: gate, thread, canHandOver: true)
        return register.withLock(waitingOn: waiter.condition) { register in
            // Woken for no reason.
            guard waiter.isWoken else { return nil }
            register.add(waiter)
            // One that hands over looks first, too: it may have been the one that was woken when the gate became free,
            // and otherwise the flag must be set for those who go on sleeping.
            guard let isOwner = tryToEnter(gate, thread, register) ?? (waiter.mustHandOver ? false : nil) else {
                waiter.isWoken = false
                return nil
            }
            register.remove(waiter)
            return isOwner
        }
    }

    /// Under the lock. Whether the caller has become the gate's owner (true) or must hand over (false); nil if it is to
    /// sleep, in which case the gate cannot become free without the lock.
    private func tryToEnter(_ gate: Gate, _ thread: UInt, _ register: Register) -> Bool? {
        while true {
            let seen = gate.word.load()
            if seen & Gate.ownerMask == 0 {
                // The flag stays for those who go on sleeping.
                let others = register.waiters(for: gate).count > 1
                let flags = (seen & ~Gate.waitersFlag) | (others ? Gate.waitersFlag : 0)
                if gate.word.acquire(from: seen, to: flags | thread) { return true }
            } else if seen & Gate.waitersFlag != 0 || gate.word.acquire(from: seen, to: seen | Gate.waitersFlag) {
                return register.cycle(from: gate, to: thread) == nil ? nil : false
            }
        }
    }

    /// Frees the gate and wakes its first waiter.
    ///
    /// - Parameter flags: Those that stay set, for the waiter to deal with.
    /// - Returns: Whether there was a waiter; `nil` if the gate has more to do first.
    func leave(_ gate: Gate, as thread: UInt, leaving flags: UInt) -> Bool? {
        register.withLock { register in
            guard gate.word.release(from: thread | Gate.waitersFlag | flags, to: flags) else { return nil }
            guard let first = register.waiters(for: gate).first else { return false }
            first.isWoken = true
            first.condition.signal()
            return true
        }
    }

    // MARK: Memos

    /// Waits until a memo has its value. False, at once, if all threads of a cycle wait for memos.
    ///
    /// - Parameter isPending: Under the lock. Whether the value is still to come; if so, the memo calls ``wake(for:)``
    ///   then.
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

    /// Wakes all that wait for a memo, which has its value now.
    package func wake(for memo: any Awaited) {
        register.withLock { register in
            for waiter in register.waiters(for: memo) { waiter.condition.signal() }
        }
    }
}

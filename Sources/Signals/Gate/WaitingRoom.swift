/// Where threads sleep that wait for a gate, and where cycles among them are found. Reached on the slow path only.
///
/// A sleeping thread cannot leave the gates that it owns. So a cycle of threads that wait for each other's gates is
/// complete only when its last thread is about to sleep, and does not change from then on. Registering and searching
/// under one lock for the whole process makes that last thread see it; it does not sleep, but hands its event over.
/// A thread that has been woken stays registered until it has the lock again: if its gate has been taken meanwhile,
/// the search goes on from the new owner, and that is right, since the woken thread will look again and sleep again.
final class WaitingRoom: Sendable {
    static let shared = WaitingRoom()

    /// A thread in the room.
    private final class Waiter {
        let gate: Gate
        let thread: UInt
        let condition = Condition()
        /// Whether it is to look at the gate (again).
        var isWoken = true

        init(gate: Gate, thread: UInt) {
            self.gate = gate
            self.thread = thread
        }
    }

    /// A class, so that what another thread changes while this one sleeps is read anew.
    private final class Register {
        var byThread: [UInt: Waiter] = [:]
        /// In the order of arrival.
        var byGate: [ObjectIdentifier: [Waiter]] = [:]

        /// Adds a waiter that is not there yet.
        func add(_ waiter: Waiter) {
            guard byThread[waiter.thread] == nil else { return }
            byThread[waiter.thread] = waiter
            byGate[ObjectIdentifier(waiter.gate), default: []].append(waiter)
        }

        func remove(_ waiter: Waiter) {
            byThread[waiter.thread] = nil
            let key = ObjectIdentifier(waiter.gate)
            byGate[key]?.removeAll { $0 === waiter }
            if byGate[key]?.isEmpty == true { byGate[key] = nil }
        }

        func count(for gate: Gate) -> Int { byGate[ObjectIdentifier(gate)]?.count ?? 0 }

        /// Whether the owner of `gate` waits, directly or through others, for a gate that `thread` owns.
        func closesCycle(_ gate: Gate, _ thread: UInt) -> Bool {
            var gate = gate
            // Nobody can come up twice in a chain of sleepers, so the register's size bounds it.
            for _ in 0...byThread.count {
                let owner = gate.word.load() & Gate.ownerMask
                if owner == thread { return true }
                guard let waiter = byThread[owner] else { return false }
                gate = waiter.gate
            }
            return false
        }
    }

    private let register = Locked(Register())

    /// Waits until the caller owns the gate. False, at once, if that would close a cycle.
    func wait(for gate: Gate, as thread: UInt) -> Bool {
        let waiter = Waiter(gate: gate, thread: thread)
        return register.withLock(waitingOn: waiter.condition) { register in
            // Woken for no reason.
            guard waiter.isWoken else { return nil }
            register.add(waiter)
            guard let isOwner = tryToEnter(gate, thread, register) else {
                waiter.isWoken = false
                return nil
            }
            register.remove(waiter)
            return isOwner
        }
    }

    /// Under the lock. Whether the caller has become the gate's owner (true) or must hand over (false); nil if it is to sleep,
    /// in which case the gate cannot become free without the lock.
    private func tryToEnter(_ gate: Gate, _ thread: UInt, _ register: Register) -> Bool? {
        while true {
            let seen = gate.word.load()
            if seen & Gate.ownerMask == 0 {
                // The flag stays for those who go on sleeping.
                let others = register.count(for: gate) > 1
                let flags = (seen & ~Gate.waitersFlag) | (others ? Gate.waitersFlag : 0)
                if gate.word.acquire(from: seen, to: flags | thread) { return true }
            } else if seen & Gate.waitersFlag != 0 || gate.word.acquire(from: seen, to: seen | Gate.waitersFlag) {
                return register.closesCycle(gate, thread) ? false : nil
            }
        }
    }

    /// Frees the gate and wakes its first waiter. False if the gate has more to do first.
    func leave(_ gate: Gate, as thread: UInt) -> Bool {
        register.withLock { register in
            guard gate.word.release(from: thread | Gate.waitersFlag, to: 0) else { return false }
            if let first = register.byGate[ObjectIdentifier(gate)]?.first {
                first.isWoken = true
                first.condition.signal()
            }
            return true
        }
    }
}

#if Explore
/// A mutex. Locking it is a step of the exploration. A thread that finds it locked does not run until it is free.
package final class ExploredLock: @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    let place = Place()
    private var owner: Int?
    private var knowledge = Knowledge()
    private var adopter = 0

    package init() {}

    var isFree: Bool { owner == nil }

    package func lock() {
        guard let (thread, execution) = ExploredThread.active else { return Outside.lockAnywhere(self) }
        adopt(execution)
        thread.step(.lock(self))
        if owner != nil { execution.fail("a thread takes a lock that it has") }
        owner = thread.number
        thread.knowledge.join(knowledge)
    }

    package func unlock() {
        guard let (thread, execution) = ExploredThread.active else { return Outside.unlockAnywhere(self) }
        knowledge = thread.knowledge
        thread.tick()
        execution.access(place, thread, isWrite: true)
        owner = nil
    }

    private func adopt(_ execution: Execution) {
        if adopter == execution.number { return }
        adopter = execution.number
        // A failed execution may have left it locked.
        owner = nil
        knowledge = Knowledge()
    }

    // MARK: Outside an execution

    fileprivate var isTakenOutside = false
}

extension Outside {
    /// Takes a lock on a thread that is in no execution. There are few such threads, and they wait by polling.
    static func lockAnywhere(_ lock: ExploredLock) {
        while true {
            self.lock()
            if !lock.isTakenOutside {
                lock.isTakenOutside = true
                return unlock()
            }
            unlock()
            rest()
        }
    }

    static func unlockAnywhere(_ lock: ExploredLock) {
        self.lock()
        lock.isTakenOutside = false
        unlock()
    }
}

/// A condition variable, used with an ``ExploredLock``.
package final class ExploredCondition: @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    private var waiters: [ExploredThread] = []
    private let place = Place()

    package init() {}

    /// Releases the lock, waits for a signal, and takes the lock again.
    package func wait(_ lock: ExploredLock) {
        guard let (thread, execution) = ExploredThread.active else {
            lock.unlock()
            Outside.rest()
            return lock.lock()
        }
        execution.access(place, thread, isWrite: true)
        waiters.append(thread)
        thread.isSignalled = false
        lock.unlock()
        thread.step(.wait(self))
        execution.access(place, thread, isWrite: true)
        lock.lock()
    }

    /// Wakes one waiting thread, which the exploration chooses.
    package func signal() {
        guard let (thread, execution) = ExploredThread.active else { return }
        execution.access(place, thread, isWrite: true)
        if waiters.isEmpty { return }
        waiters.remove(at: execution.choose(among: waiters.count, .wake)).isSignalled = true
    }

    package func broadcast() {
        if let (thread, execution) = ExploredThread.active { execution.access(place, thread, isWrite: true) }
        for waiter in waiters { waiter.isSignalled = true }
        waiters = []
    }
}
#endif

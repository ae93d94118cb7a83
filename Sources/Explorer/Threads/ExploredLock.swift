#if Explore
/// A mutex. Taking it is a step of the exploration; a thread that finds it taken does not run until it is free.
package final class ExploredLock: @unchecked Sendable {
    // Sendable: as ExploredWord.
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
        guard let (thread, _) = ExploredThread.active else { return Outside.unlockAnywhere(self) }
        knowledge = thread.knowledge
        thread.tick()
        owner = nil
    }

    private func adopt(_ execution: Execution) {
        if adopter == execution.number { return }
        adopter = execution.number
        // An execution that failed may have left it taken.
        owner = nil
        knowledge = Knowledge()
    }

    // MARK: Outside an execution

    fileprivate var isTakenOutside = false
}

extension Outside {
    /// Takes a lock on a thread that is in no execution. Those are few, and wait for each other by looking again.
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
    // Sendable: as ExploredWord.
    private var waiters: [ExploredThread] = []

    package init() {}

    /// Leaves the lock, waits for a signal, and takes the lock again.
    package func wait(_ lock: ExploredLock) {
        guard let (thread, _) = ExploredThread.active else {
            lock.unlock()
            Outside.rest()
            return lock.lock()
        }
        waiters.append(thread)
        thread.isSignalled = false
        lock.unlock()
        thread.step(.wait(self))
        lock.lock()
    }

    /// Wakes one that waits, whichever the exploration chooses.
    package func signal() {
        guard let (_, execution) = ExploredThread.active, !waiters.isEmpty else { return }
        waiters.remove(at: execution.choose(among: waiters.count, .wake)).isSignalled = true
    }

    package func broadcast() {
        for waiter in waiters { waiter.isSignalled = true }
        waiters = []
    }
}
#endif

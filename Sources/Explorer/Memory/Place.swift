#if Explore
/// The identity of a word or a lock, which is the same in all executions of a scenario.
package final class Place: @unchecked Sendable {
    // Sendable: see ExploredWord.

    /// The thread that made it, and how many that thread had made before.
    let name: Name
    /// Its number among those touched in this execution.
    private(set) var slot = 0
    private var execution = 0
    /// The one thread that has touched it, until another one does.
    private var toucher = -1

    struct Name: Hashable {
        let thread: Int
        let number: Int
    }

    package init() {
        if let (thread, execution) = ExploredThread.active {
            name = thread.nextName()
            self.execution = execution.number
            slot = execution.nextSlot()
        } else {
            name = Name(thread: -1, number: Outside.nextNumber())
        }
    }

    /// Gives it a slot, the first time in an execution.
    func enter(_ current: Execution) {
        if execution == current.number { return }
        execution = current.number
        slot = current.nextSlot()
        toucher = -1
    }

    /// Whether it matters when a thread touches it. It does not if no other thread does so in any execution.
    func isShared(in current: Execution, with thread: Int) -> Bool {
        enter(current)
        guard let shared = current.shared else { return true }
        if shared.contains(name) { return true }
        if toucher == thread || current.phase != .running { return false }
        if toucher == -1 {
            toucher = thread
            return false
        }
        current.share(name)
        return true
    }
}
#endif

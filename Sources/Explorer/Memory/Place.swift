#if Explore
/// The identity of a word or a lock, which is the same in all executions of a scenario.
package final class Place: @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.

    /// The thread that created the place, and its position among the places that this thread has created.
    let name: Name
    /// The number of the place among those accessed in this execution.
    private(set) var slot = 0
    private var execution = 0
    /// The first thread that has accessed the place in this execution, or -1.
    private var toucher = -1
    /// Whether it is known in this execution that several threads access the place.
    private(set) var isKnown = false
    /// The accesses in this execution.
    var footprint = Footprint()

    struct Name: Hashable {
        let thread: Int
        let number: Int
    }

    package init() {
        if let (thread, execution) = ExploredThread.active {
            name = thread.nextName()
            self.execution = execution.number
            slot = execution.nextSlot()
            isKnown = execution.isShared(name)
        } else {
            name = Name(thread: -1, number: Outside.nextNumber())
        }
    }

    /// Assigns a slot on the first access in an execution.
    func enter(_ current: Execution) {
        if execution == current.number { return }
        execution = current.number
        slot = current.nextSlot()
        toucher = -1
        footprint.clear()
        isKnown = current.isShared(name)
    }

    /// Whether the moment of an access matters. It does not if no other thread accesses the place in any execution.
    func isShared(in current: Execution, with thread: Int) -> Bool {
        enter(current)
        if isKnown { return true }
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

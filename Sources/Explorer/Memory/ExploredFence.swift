#if Explore
/// A fence for all threads: from then on, every thread sees everything that any of them has stored.
package enum ExploredFence {
    package static func issue() {
        guard let (thread, execution) = ExploredThread.active else { return }
        thread.step(.pause)
        execution.dependence.giveUp()
        execution.flush()
    }
}
#endif

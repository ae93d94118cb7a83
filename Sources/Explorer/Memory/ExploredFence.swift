#if Explore
/// A fence of all threads: whatever any of them has stored, each of them sees from then on.
package enum ExploredFence {
    package static func issue() {
        guard let (thread, execution) = ExploredThread.active else { return }
        thread.step(.pause)
        execution.flush()
    }
}
#endif

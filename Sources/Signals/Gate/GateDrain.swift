#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

extension Gate {
    /// Performs the operations in the inbox on another thread: one of the scheduler that delivers the events, if there
    /// is one.
    ///
    /// For operations that were pushed while the owner was in a ``PassiveSection``: the owner must not perform them,
    /// and the threads that pushed them have moved on.
    final func drainOnOtherThread() {
        guard let scheduler = drainScheduler else { return drainOnOwnQueue() }
        // If this thread ran the action now, it would do the work of others inside `dispose()`.
        PassiveSection.run {
            _ = scheduler.schedule { if PassiveSection.isCurrent { self.drainOnOwnQueue() } else { self.settle() } }
        }
    }

    /// Each drain has its own queue, because such a queue always gets a thread. The global queues do not: long
    /// computations on them or on Swift's pool would delay events that no other thread delivers.
    private final func drainOnOwnQueue() {
        #if Explore
        ExploredBackground.run { self.settle() }
        #else
        DispatchQueue(label: "ReactiveSignals.GateDrain", qos: .userInitiated).async { self.settle() }
        #endif
    }
}

#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

extension Gate {
    /// Performs the operations in the inbox on another thread.
    ///
    /// For operations that were pushed while the owner was in a ``PassiveSection``: the owner must not perform them,
    /// and the threads that pushed them have moved on.
    ///
    /// Each drain has its own queue, because such a queue always gets a thread. The global queues do not: long
    /// computations on them or on Swift's pool would delay events that no other thread delivers.
    final func drainOnOtherThread() {
        #if Explore
        ExploredBackground.run { self.settle() }
        #else
        DispatchQueue(label: "ReactiveSignals.GateDrain", qos: .userInitiated).async { self.settle() }
        #endif
    }
}

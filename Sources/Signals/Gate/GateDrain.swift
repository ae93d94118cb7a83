#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

extension Gate {
    /// Performs what is in the inbox on another thread.
    ///
    /// For operations that were pushed while the thread inside was in a ``PassiveSection``: that thread must not perform
    /// them, and the threads that pushed them have moved on.
    ///
    /// Each drain has a queue of its own, because a queue of its own always gets a thread. The global queues do not:
    /// long computations on them or on Swift's pool would delay events that nobody else delivers.
    final func drainOnOtherThread() {
        #if Explore
        ExploredBackground.run { self.settle() }
        #else
        DispatchQueue(label: "ReactiveSignals.GateDrain", qos: .userInitiated).async { self.settle() }
        #endif
    }
}

import Dispatch

extension Gate {
    /// Has a thread of the global queue perform what is in the inbox.
    ///
    /// For operations that were pushed while the thread inside was in a ``PassiveSection``: that thread must not perform them,
    /// and the threads that pushed them have gone on.
    final func drainOnGlobalQueue() {
        DispatchQueue.global(qos: .userInitiated).async { self.settle() }
    }
}

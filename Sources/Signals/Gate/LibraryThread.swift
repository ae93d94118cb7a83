#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

/// A thread of the library, for what belongs to no other thread.
@usableFromInline
package enum LibraryThread {
    /// Each call has its own queue, because such a queue always gets a thread. The global queues do not: long
    /// computations on them or on Swift's pool would delay events that no other thread delivers.
    @usableFromInline
    package static func run(_ work: @escaping @Sendable () -> Void) {
        #if Explore
        ExploredBackground.run(work)
        #else
        pending.enter()
        DispatchQueue(label: "ReactiveSignals.LibraryThread", qos: .userInitiated).async {
            work()
            pending.leave()
        }
        #endif
    }

    /// The calls that have not ended, for tests that wait for them.
    package static let pending = TaskCounter()
}

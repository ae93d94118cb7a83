#if Explore
import InterleavingExplorer
#endif

/// A re-entrant lock for work that at most one thread of the process does at a time, and that other threads can skip.
@usableFromInline
package final class SoleThread: Sendable {
    /// Held by the thread that changes a value in place.
    #if Explore
    @usableFromInline package static var inPlace: SoleThread { ExploredBackground.own { SoleThread() } }
    #else
    @usableFromInline package static let inPlace = SoleThread()
    #endif

    private let thread = AtomicWord(0)
    private let depth = AtomicWord(0)

    /// Returns false if another thread still holds it after a short spin.
    @usableFromInline
    package func begin() -> Bool {
        let caller = ThreadIdentity.current
        for _ in 0..<Spinning.long {
            let seen = thread.loadRelaxed()
            guard seen == caller || seen == 0 && thread.compareExchangeAcquiring(from: 0, to: caller) else { continue }
            depth.store(depth.loadRelaxed() + 1)
            return true
        }
        return false
    }

    @usableFromInline
    package func end() {
        let left = depth.loadRelaxed() - 1
        depth.store(left)
        if left == 0 { thread.store(0) }
    }
}

#if Explore
#if canImport(Glibc)
import Glibc
#endif

/// A flow of control of an execution, with its own stack. One runs at a time, and hands over to another.
///
/// On Linux with glibc it is a fiber, which makes a switch of threads about as cheap as a call. Elsewhere it is a real
/// thread.
class Strand {
    /// Called on the strand that runs. Returns when another strand hands over to this one.
    func pass(to next: Strand) { preconditionFailure("overridden") }

    /// Returns a strand for the flow of control that calls it.
    static func calling() -> Strand {
        #if canImport(Glibc)
        if isFiber { return Fiber() }
        #endif
        return StrandThread()
    }

    /// Returns a strand that runs `body` when another one hands over to it, and then hands over to what `body` returns.
    static func running(_ body: @escaping () -> Strand) -> Strand {
        #if canImport(Glibc)
        if isFiber { return FiberPool.current.fiber(running: body) }
        #endif
        return StrandThread(running: body)
    }

    #if canImport(Glibc)
    /// Whether strands are fibers. The sanitizers need threads.
    static let isFiber = getenv("REACTIVE_SIGNALS_EXPLORER_THREADS") == nil
    #else
    static let isFiber = false
    #endif
}

/// A strand that is a real thread.
final class StrandThread: Strand {
    private let baton = Baton()

    override init() {}

    init(running body: @escaping () -> Strand) {
        super.init()
        Crew.shared.run { [baton] in
            baton.wait()
            (body() as? StrandThread)?.baton.signal()
        }
    }

    override func pass(to next: Strand) {
        (next as? StrandThread)?.baton.signal()
        baton.wait()
    }
}
#endif

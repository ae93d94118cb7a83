extension Subscription {
    /// Whether what is upstream can begin within the call that begins this start. Otherwise the loop decides.
    @_alwaysEmitIntoClient @inline(__always)
    package final var beginsNested: Bool { depth < StartLoop.nesting && loop == nil }

    /// Tells that this start is begun by another one, as the last thing that it does. Call before it begins.
    @_alwaysEmitIntoClient @inline(__always)
    package final func beUpstream(of result: Subscription) {
        depth = result.depth &+ 1
        if let loop = result.loop { self.loop = loop }
    }

    /// Makes what is upstream begin before the method returns that begins it. Call before it begins, for an operator
    /// that goes on then.
    @_alwaysEmitIntoClient
    package final func beginCompletely() { loop = nil }
}

/// Begins the starts of a long chain one after another, instead of each one in the one downstream of it.
///
/// Each start begins the next one upstream as the last thing it does, so that can also happen after it has returned.
/// The first start that is ``nesting`` deep runs the loop. Of those upstream, one of about as many leaves its work to it.
/// The loop is used again when, later on, one producer after another ends and so begins the next one.
@usableFromInline
package final class StartLoop: @unchecked Sendable {
    // Sendable: only the thread that runs the loop uses the fields that are neither atomic nor locked.

    /// The number of starts that may be nested in one another. Fewer in the explorer: short chains reach the loop.
    @_alwaysEmitIntoClient @inline(__always)
    static var nesting: UInt32 {
        #if Explore
        2
        #else
        64
        #endif
    }
    /// The depth of a start that has come here. The next one upstream has the depth 0.
    private static var leftToLoop: UInt32 { .max }

    /// The thread that runs the loop. 0 if there is none, and in a loop of ``others``.
    private let thread = AtomicWord(0)
    /// What is left to do. The last one is the next.
    private var waiting: [() -> Void] = []
    /// What has been left to the loop since it has called the last closure.
    private var added: [() -> Void] = []

    /// An address on the stack of the thread that runs the loop.
    private var base: UInt = 0
    /// The number of bytes of stack after which something that begins later on is left to the loop: 1 MiB.
    private static let room: UInt = 1 << 20
    /// The number of calls of ``goOn(_:of:)`` that are nested in one another in the loop.
    private var nested: UInt32 = 0

    /// The loops of other threads that begin starts of the same chain meanwhile, by thread.
    private let others = Locked<[UInt: StartLoop]>([:])

    private init() {}

    /// The loop that begins starts of this chain on a thread, if one does.
    private func running(on thread: UInt) -> StartLoop? {
        self.thread.load() == thread ? self : others.withLock { $0[thread] }
    }

    /// Calls `begin`, which begins what is upstream of a start, or leaves that to the loop. So the stack does not grow
    /// with the number of operators.
    ///
    /// The loop calls the closures in the order in which they would have been called otherwise, the last ones after this
    /// method has returned. So `begin` must check whether the start is over.
    @usableFromInline @inline(never)
    package static func run(_ begin: @escaping () -> Void, of start: Subscription) {
        let thread = ThreadIdentity.current
        let isFarUpstream = start.depth >= nesting
        if isFarUpstream { start.depth = leftToLoop }
        if let loop = start.loop?.running(on: thread) {
            // What has been left to the loop comes before everything that begins after it.
            return isFarUpstream || !loop.added.isEmpty ? loop.add(begin) : begin()
        }
        guard isFarUpstream else { return begin() }
        let loop = start.loop ?? StartLoop()
        start.loop = loop
        if loop.thread.compareExchangeAcquiring(from: 0, to: thread) {
            loop.run(begin)
            loop.thread.store(0)
        } else {
            // Another thread runs it, for another branch of the chain.
            let own = StartLoop()
            loop.others.withLock { $0[thread] = own }
            own.run(begin)
            loop.others.withLock { $0[thread] = nil }
        }
    }

    /// Does the same later on, when a producer has ended and so begins the next one. Everything has begun when this
    /// method returns, because an observer that ends a producer may send to the next one at once. It does not hold after
    /// ``nesting`` such calls inside one another, as for producers that end at once, nor when the stack is large.
    @usableFromInline @inline(never)
    package static func goOn(_ begin: @escaping () -> Void, of start: Subscription) {
        guard let loop = start.loop?.running(on: ThreadIdentity.current) else { return run(begin, of: start) }
        if loop.nested == nesting || loop.base &- loop.stackAddress() > room { return loop.add(begin) }
        let (waiting, added) = (loop.waiting, loop.added)
        (loop.waiting, loop.added) = ([], [])
        loop.nested += 1
        loop.perform(begin)
        loop.nested -= 1
        (loop.waiting, loop.added) = (waiting, added)
    }

    /// An address in the frame of this method.
    @inline(never)
    private func stackAddress() -> UInt {
        // The address sanitizer moves what has a constant size to the heap.
        withUnsafeTemporaryAllocation(byteCount: Int(nested) + 1, alignment: 1) { UInt(bitPattern: $0.baseAddress) }
    }

    private func add(_ begin: @escaping () -> Void) {
        let context = LibraryTask.captured
        added.append { LibraryTask.with(context, begin) }
    }

    private func run(_ first: () -> Void) {
        base = stackAddress()
        perform(first)
    }

    /// Other threads cannot keep the caller here: they add nothing to this loop, only to those of their own.
    private func perform(_ first: () -> Void) {
        first()
        while true {
            while let last = added.popLast() { waiting.append(last) }
            guard let next = waiting.popLast() else { break }
            next()
        }
    }
}

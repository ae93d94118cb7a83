/// A lock in one word. Without contention, one instruction acquires it and one releases it. A thread that finds it
/// taken spins briefly and then sleeps.
///
/// An exploration replaces ``WordLock`` by a mutex, which takes one step instead of several, and explores this type
/// separately.
@usableFromInline
@frozen
package struct WordMutex: ~Copyable, Sendable {
    /// 0 if free, 1 if taken, 2 if taken and threads may be sleeping.
    @usableFromInline let word = AtomicWord(0)
    @usableFromInline let bench: Bench

    @usableFromInline
    package init() { bench = .any() }

    #if Explore
    package init(on bench: Bench) { self.bench = bench }
    #endif

    @inlinable @inline(__always)
    package borrowing func lock() {
        if !word.acquire(from: 0, to: 1) { lockSlowly() }
    }

    @inlinable @inline(__always)
    package borrowing func unlock() {
        if word.exchange(0) == 2 { wake() }
    }

    @usableFromInline @inline(never)
    borrowing func lockSlowly() {
        for _ in 0..<Spinning.long where word.loadRelaxed() == 0 {
            if word.acquire(from: 0, to: 1) { return }
        }
        // A thread that has slept acquires the lock with a 2, because other threads may still be sleeping.
        while word.exchange(2) != 0 { sleep() }
    }

    /// Returns when the lock has been released, or spuriously.
    private borrowing func sleep() {
        bench.lock()
        if word.load() == 2 { bench.sleep() }
        bench.unlock()
    }

    @usableFromInline @inline(never)
    borrowing func wake() {
        bench.lock()
        bench.wakeAll()
        bench.unlock()
    }
}

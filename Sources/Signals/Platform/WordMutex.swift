/// A lock of one word: while nobody competes, it is taken by one instruction and left by one. A thread that finds it taken looks
/// again for a moment, and then sleeps.
///
/// An exploration replaces ``WordLock`` by a mutex, as one step in place of several, and explores this by itself.
@usableFromInline
@frozen
package struct WordMutex: ~Copyable, Sendable {
    /// 0 while it is free, 1 while it is taken, 2 while it is taken and somebody may sleep.
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
        // A thread that has slept takes it with the 2, as others may sleep on.
        while word.exchange(2) != 0 { sleep() }
    }

    /// Returns when the lock has been left, or for no reason.
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

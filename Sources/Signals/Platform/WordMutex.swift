/// A lock in one word. Without contention, one instruction acquires it and one releases it. A thread that finds it
/// taken spins briefly and then sleeps.
///
/// An exploration replaces ``WordLock`` by a mutex, which takes one step instead of several, and explores this type
/// separately.
@usableFromInline
@frozen
package struct WordMutex: ~Copyable, Sendable {
    /// 0 if free, 1 if taken. A greater number if taken and threads may be sleeping: that of their bench.
    @usableFromInline let word = AtomicWord(0)

    #if Explore
    private let benches: Benches

    package init(on benches: Benches) { self.benches = benches }
    #else
    private var benches: Benches { .all }

    @inlinable @inline(__always)
    package init() {}
    #endif

    @inlinable @inline(__always)
    package borrowing func lock() {
        if !word.acquire(from: 0, to: 1) { lockSlowly() }
    }

    @inlinable @inline(__always)
    package borrowing func unlock() {
        let former = word.exchange(0)
        if former > 1 { wake(former) }
    }

    /// Releases the lock, and returns a value that was read under it. The value need not be saved for a call that wakes
    /// threads.
    @inlinable @inline(__always)
    package borrowing func unlock<Value>(returning value: Value) -> Value {
        let former = word.exchange(0)
        return former > 1 ? wake(former, returning: value) : value
    }

    @usableFromInline @inline(never)
    borrowing func lockSlowly() {
        for _ in 0..<Spinning.long where word.loadRelaxed() == 0 {
            if word.acquire(from: 0, to: 1) { return }
        }
        while true {
            switch word.load() {
            // The threads that slept on the bench are awake, and write its number again if they must sleep again.
            case 0: if word.acquire(from: 0, to: 1) { return }
            case 1:
                let number = benches.next() + 2
                if word.acquire(from: 1, to: number) { sleep(on: number) }
            case let number: sleep(on: number)
            }
        }
    }

    /// Returns when the lock has been released, or spuriously.
    private borrowing func sleep(on number: UInt) {
        let bench = benches[number - 2]
        bench.lock()
        if word.load() == number { bench.sleep() }
        bench.unlock()
    }

    @inlinable @inline(never)
    borrowing func wake<Value>(_ number: UInt, returning value: Value) -> Value {
        wake(number)
        return value
    }

    @usableFromInline @inline(never)
    borrowing func wake(_ number: UInt) {
        let bench = benches[number - 2]
        bench.lock()
        bench.wakeAll()
        bench.unlock()
    }
}

/// The places where threads sleep while they wait for a ``WordMutex``. Several mutexes may share one: there are so many
/// that those for which threads wait at the same time rarely do. They are never freed.
@usableFromInline
package final class Benches: Sendable {
    private let benches: [Bench]
    private let turns = AtomicWord(0)

    package init(_ count: Int) { benches = (0..<count).map { _ in Bench() } }

    #if !Explore
    static let all = Benches(64)
    #endif

    /// The number of a bench for a mutex that needs one.
    func next() -> UInt { turns.increment() % UInt(benches.count) }

    subscript(number: UInt) -> Bench { benches[Int(number)] }
}

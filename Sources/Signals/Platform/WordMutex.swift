/// A lock in one word. Without contention, one instruction acquires it and one releases it. A thread that finds it
/// taken spins briefly and then sleeps.
///
/// An exploration replaces ``WordLock`` by a mutex, which takes one step instead of several, and explores this type
/// separately.
@usableFromInline
@frozen
package struct WordMutex: ~Copyable, Sendable {
    /// 0 if free, 1 if taken. A greater number if taken and threads may be sleeping: that of their parking spot.
    @usableFromInline let word = AtomicWord(0)

    #if Explore
    private let lot: ParkingLot

    package init(on lot: ParkingLot) { self.lot = lot }
    #else
    private var lot: ParkingLot { .all }

    @inlinable @inline(__always)
    package init() {}
    #endif

    @inlinable @inline(__always)
    package borrowing func lock() {
        if !word.compareExchangeAcquiring(from: 0, to: 1) { lockSlowly() }
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
            if word.compareExchangeAcquiring(from: 0, to: 1) { return }
        }
        while true {
            switch word.load() {
            // The threads that slept on that spot are awake, and write its number again if they must sleep again.
            case 0: if word.compareExchangeAcquiring(from: 0, to: 1) { return }
            case 1:
                let number = lot.next() + 2
                if word.compareExchangeAcquiring(from: 1, to: number) { sleep(on: number) }
            case let number: sleep(on: number)
            }
        }
    }

    /// Returns when the lock has been released, or spuriously.
    private borrowing func sleep(on number: UInt) {
        let spot = lot[number - 2]
        spot.lock()
        if word.load() == number { spot.sleep() }
        spot.unlock()
    }

    @_alwaysEmitIntoClient @inline(never)
    borrowing func wake<Value>(_ number: UInt, returning value: Value) -> Value {
        wake(number)
        return value
    }

    @usableFromInline @inline(never)
    borrowing func wake(_ number: UInt) {
        let spot = lot[number - 2]
        spot.lock()
        spot.wakeAll()
        spot.unlock()
    }
}

/// The places where threads sleep while they wait for a ``WordMutex``. Several mutexes may share one: there are so many
/// that those for which threads wait at the same time rarely do. They are never freed.
@usableFromInline
package final class ParkingLot: Sendable {
    private let spots: [ParkingSpot]
    private let turns = AtomicWord(0)

    package init(_ count: Int) { spots = (0..<count).map { _ in ParkingSpot() } }

    #if !Explore
    static let all = ParkingLot(64)
    #endif

    /// The number of a parking spot for a mutex that needs one.
    func next() -> UInt { turns.increment() % UInt(spots.count) }

    subscript(number: UInt) -> ParkingSpot { spots[Int(number)] }
}

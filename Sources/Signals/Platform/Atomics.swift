#if !Explore
// All atomics of the library are in this file, and all locks in `Lock.swift`, so that they can be replaced in one place
// to run the same algorithms under a model checker.
public import Synchronization

/// A machine word that threads share. Provides only the memory orderings that the protocols of the library need.
@usableFromInline
@frozen
package struct AtomicWord: ~Copyable, Sendable {
    @usableFromInline
    let storage: Atomic<UInt>

    @inlinable
    package init(_ initial: UInt) { storage = Atomic(initial) }

    @inlinable @inline(__always)
    package func load() -> UInt { storage.load(ordering: .acquiring) }

    /// Loads the word when no other thread can reach it any more, in a `deinit`. The last release of the object orders
    /// it after all other accesses, but an exploration cannot see that release.
    @_alwaysEmitIntoClient @inline(__always)
    package func loadLast() -> UInt { storage.load(ordering: .acquiring) }

    @inlinable @inline(__always)
    package func loadRelaxed() -> UInt { storage.load(ordering: .relaxed) }

    /// Replaces `expected` by `desired`. Everything written before the matching release is visible afterwards.
    @inlinable @inline(__always)
    package func compareExchangeAcquiring(from expected: UInt, to desired: UInt) -> Bool {
        storage.compareExchange(
            expected: expected, desired: desired, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    /// Replaces `expected` by `desired`, and publishes everything written before.
    @inlinable @inline(__always)
    package func compareExchangeReleasing(from expected: UInt, to desired: UInt) -> Bool {
        storage.compareExchange(
            expected: expected, desired: desired, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
    }

    /// Sets `bits` and returns the word as it was.
    @inlinable
    package func set(_ bits: UInt) -> UInt {
        storage.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Clears `bits` and returns the word as it was.
    @_alwaysEmitIntoClient
    package func clear(_ bits: UInt) -> UInt {
        storage.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue
    }

    @inlinable @inline(__always)
    package func exchange(_ desired: UInt) -> UInt {
        storage.exchange(desired, ordering: .acquiringAndReleasing)
    }

    /// Replaces the word and publishes everything written before. Only for the one thread that is allowed to write.
    @inlinable @inline(__always)
    package func store(_ desired: UInt) { storage.store(desired, ordering: .releasing) }

    /// Replaces the word before this thread reads another one, provided that the thread that writes the other word
    /// calls ``AsymmetricFence/issue()`` before it reads this one.
    @_alwaysEmitIntoClient @inline(__always)
    package func storeAhead(_ desired: UInt) {
        #if arch(x86_64)
        storage.store(desired, ordering: .releasing)
        // Emits no instruction. Keeps the compiler from moving later accesses ahead of the store.
        atomicMemoryFence(ordering: .acquiringAndReleasing)
        #else
        storage.store(desired, ordering: .sequentiallyConsistent)
        #endif
    }

    // For two threads that each write one word and then read the other's: at least one of them sees what the other
    // wrote.

    @_alwaysEmitIntoClient @inline(__always)
    package func loadInOrder() -> UInt { storage.load(ordering: .sequentiallyConsistent) }

    @_alwaysEmitIntoClient @inline(__always)
    package func exchangeInOrder(_ desired: UInt) -> UInt {
        storage.exchange(desired, ordering: .sequentiallyConsistent)
    }

    /// Sets `bits` and returns the word as it was.
    package func setInOrder(_ bits: UInt) -> UInt {
        storage.bitwiseOr(bits, ordering: .sequentiallyConsistent).oldValue
    }

    /// Adds `amount`, wrapping around on overflow, and returns the word as it was. Everything written before the
    /// matching release is visible afterwards.
    @inlinable @inline(__always)
    package func acquire(adding amount: UInt) -> UInt {
        storage.wrappingAdd(amount, ordering: .acquiring).oldValue
    }

    /// Subtracts `amount`, publishes everything written before, and returns the word as it was. Everything written
    /// before other calls is visible afterwards.
    @inlinable @inline(__always)
    package func release(subtracting amount: UInt) -> UInt {
        storage.wrappingSubtract(amount, ordering: .acquiringAndReleasing).oldValue
    }

    /// Adds one, wrapping around on overflow, and returns the word as it was.
    package func increment() -> UInt { storage.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// A flag that is raised once and never lowered.
@usableFromInline
@frozen
package struct AtomicFlag: ~Copyable, Sendable {
    @usableFromInline
    let storage: Atomic<Bool>

    @inlinable
    package init(_ initial: Bool = false) { storage = Atomic(initial) }

    @inlinable @inline(__always)
    package var isRaised: Bool { storage.load(ordering: .acquiring) }

    /// Raises the flag. Returns true to the one caller that found it lowered.
    @inlinable @inline(__always) @discardableResult
    package func raise() -> Bool { !storage.exchange(true, ordering: .acquiringAndReleasing) }
}

/// A small number that one thread at a time changes and any thread may read.
@usableFromInline
@frozen
package struct AtomicCount: ~Copyable, Sendable {
    @usableFromInline
    let storage: Atomic<Int32>

    @_alwaysEmitIntoClient
    package init(_ initial: Int32) { storage = Atomic(initial) }

    @inlinable @inline(__always)
    package var value: Int32 { storage.load(ordering: .relaxed) }

    @inlinable @inline(__always)
    package func set(_ value: Int32) { storage.store(value, ordering: .relaxed) }
}

/// A counter of pending work in one byte. Exact up to 254. A count that has exceeded 254 stays there.
package struct PendingCount: ~Copyable, Sendable {
    private let storage = Atomic<UInt8>(0)

    package init() {}

    package var isEmpty: Bool { storage.load(ordering: .acquiring) == 0 }

    package func increment() { change { $0 + 1 } }

    package func decrement() { change { $0 - 1 } }

    private func change(_ body: (UInt8) -> UInt8) {
        var seen = storage.load(ordering: .relaxed)
        while seen < .max {
            let (isDone, original) = storage.weakCompareExchange(
                expected: seen, desired: body(seen), ordering: .acquiringAndReleasing)
            if isDone { return }
            seen = original
        }
    }
}

/// How often a thread checks again before it sleeps or gives up.
package enum Spinning {
    package static let long = 100
    package static let short = 30
}
#endif

#if !Explore
// Every atomic of the library goes through this file, and every lock through `Lock.swift`, so that one place can be
// replaced to run the same algorithms under a model checker.
public import Synchronization

/// A machine word that threads share. The orderings are those that the protocols here need, and no others.
@usableFromInline
@frozen
package struct AtomicWord: ~Copyable, Sendable {
    @usableFromInline
    let storage: Atomic<UInt>

    @inlinable
    package init(_ initial: UInt) { storage = Atomic(initial) }

    @inlinable @inline(__always)
    package func load() -> UInt { storage.load(ordering: .acquiring) }

    /// Loads it where no other thread can reach it any more: in a `deinit`. The last release of the object orders it after
    /// all other accesses, which an exploration does not see.
    @inlinable @inline(__always)
    package func loadLast() -> UInt { storage.load(ordering: .acquiring) }

    @inlinable @inline(__always)
    package func loadRelaxed() -> UInt { storage.load(ordering: .relaxed) }

    /// Replaces `expected` by `desired`; what was written before the matching release is visible afterwards.
    @inlinable @inline(__always)
    package func acquire(from expected: UInt, to desired: UInt) -> Bool {
        storage.compareExchange(
            expected: expected, desired: desired, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    /// Replaces `expected` by `desired`; publishes everything written before.
    @inlinable @inline(__always)
    package func release(from expected: UInt, to desired: UInt) -> Bool {
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
    @inlinable
    package func clear(_ bits: UInt) -> UInt {
        storage.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue
    }

    @inlinable @inline(__always)
    package func exchange(_ desired: UInt) -> UInt {
        storage.exchange(desired, ordering: .acquiringAndReleasing)
    }

    /// Replaces the word, for a thread that alone may do so; publishes everything written before.
    @inlinable @inline(__always)
    package func store(_ desired: UInt) { storage.store(desired, ordering: .releasing) }

    /// Replaces the word before this thread reads another one, as long as the thread that writes the other one calls
    /// ``AsymmetricFence/issue()`` before it reads this one.
    @inlinable @inline(__always)
    package func storeAhead(_ desired: UInt) {
        #if arch(x86_64)
        storage.store(desired, ordering: .releasing)
        // No instruction here: keeps the compiler from moving what follows ahead of the store.
        atomicMemoryFence(ordering: .acquiringAndReleasing)
        #else
        storage.store(desired, ordering: .sequentiallyConsistent)
        #endif
    }

    // For two threads each of which writes one word and then reads the other's: at least one of them sees what the other wrote.

    @inlinable @inline(__always)
    package func loadInOrder() -> UInt { storage.load(ordering: .sequentiallyConsistent) }

    @inlinable @inline(__always)
    package func exchangeInOrder(_ desired: UInt) -> UInt {
        storage.exchange(desired, ordering: .sequentiallyConsistent)
    }

    /// Sets `bits` and returns the word as it was.
    package func setInOrder(_ bits: UInt) -> UInt {
        storage.bitwiseOr(bits, ordering: .sequentiallyConsistent).oldValue
    }

    /// Adds one, beyond the largest number from 0 on, and returns the word as it was.
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

    /// Raises the flag; true for the one caller that found it lowered.
    @inlinable @inline(__always) @discardableResult
    package func raise() -> Bool { !storage.exchange(true, ordering: .acquiringAndReleasing) }
}

/// A small number that one thread at a time changes and any may look at.
@usableFromInline
@frozen
package struct AtomicCount: ~Copyable, Sendable {
    @usableFromInline
    let storage: Atomic<Int32>

    @inlinable
    package init(_ initial: Int32) { storage = Atomic(initial) }

    @inlinable @inline(__always)
    package var value: Int32 { storage.load(ordering: .relaxed) }

    @inlinable @inline(__always)
    package func set(_ value: Int32) { storage.store(value, ordering: .relaxed) }
}

/// How many of something are under way, in a byte: exact up to 254. A count that has been beyond stays there.
package struct AtomicTally: ~Copyable, Sendable {
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

/// How often a thread looks again before it sleeps or gives up.
package enum Spinning {
    package static let long = 100
    package static let short = 30
}
#endif

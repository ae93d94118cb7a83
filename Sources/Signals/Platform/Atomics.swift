// Every atomic of the library goes through this file, and every lock through `Lock.swift`, so that one place can be
// replaced to run the same algorithms under a model checker.
public import Synchronization

/// A machine word that threads share. The orderings are those that the gate's protocol needs, and no others.
@usableFromInline
@frozen
package struct AtomicWord: ~Copyable, Sendable {
    @usableFromInline
    let storage: Atomic<UInt>

    @inlinable
    package init(_ initial: UInt) { storage = Atomic(initial) }

    @inlinable @inline(__always)
    package func load() -> UInt { storage.load(ordering: .acquiring) }

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

    @inlinable
    package func exchange(_ desired: UInt) -> UInt {
        storage.exchange(desired, ordering: .acquiringAndReleasing)
    }
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

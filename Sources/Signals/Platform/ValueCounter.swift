public import Synchronization

// Not replaced in an exploration, unlike the other atomics: a count is not a step of a scenario.

/// How many values a signal has sent. One thread at a time counts, and any thread may read.
@frozen @usableFromInline
package struct ValueCounter: ~Copyable, Sendable {
    @usableFromInline let storage: Atomic<UInt64>

    init() { storage = Atomic(0) }

    /// Only for the owner of the gate.
    @inlinable @inline(__always)
    package func count() { storage.store(storage.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    /// The number of values.
    package var total: UInt64 { storage.load(ordering: .relaxed) }
}

public import Synchronization

// Not replaced in an exploration, unlike the other atomics: a count is not a step of a scenario.

/// How many values a signal has sent, if they are counted. One thread at a time counts, and any thread may read.
@frozen @usableFromInline
package struct ValueCounter: ~Copyable, Sendable {
    /// One more than the number of values. 0 if they are not counted.
    @usableFromInline let storage: Atomic<UInt64>

    init(isOn: Bool) { storage = Atomic(isOn ? 1 : 0) }

    /// Whether values are counted. Never changes.
    @_alwaysEmitIntoClient @inline(__always)
    package var isOn: Bool { storage.load(ordering: .relaxed) != 0 }

    /// Counts a value. Only for the owner of the gate, if ``isOn``.
    @_alwaysEmitIntoClient @inline(__always)
    package func count() { storage.store(storage.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    /// The number of values. Only if ``isOn``.
    package var total: UInt64 { storage.load(ordering: .relaxed) &- 1 }
}

/// Makes the compiler load again what it has loaded before.
@usableFromInline
package enum CompilerFence {
    @_alwaysEmitIntoClient @inline(__always)
    static func issue() {
        // Emits no instruction on x86-64.
        #if arch(x86_64)
        atomicMemoryFence(ordering: .acquiring)
        #endif
    }
}

public import Synchronization

// Not replaced in an exploration, unlike the other atomics: whether a hook is set is not a step of a scenario.

/// Whether a hook is set. Off at first.
@frozen @usableFromInline
package struct HookSwitch: ~Copyable, Sendable {
    @usableFromInline let storage: Atomic<Bool>

    @usableFromInline
    package init() { storage = Atomic(false) }

    @_alwaysEmitIntoClient @inline(__always)
    package var isOn: Bool { storage.load(ordering: .relaxed) }

    package func set(_ isOn: Bool) { storage.store(isOn, ordering: .relaxed) }
}

/// Numbers that are unique in the process.
struct ProcessCounter: ~Copyable, Sendable {
    private let storage = Atomic<UInt64>(0)

    func next() -> UInt64 { storage.wrappingAdd(1, ordering: .relaxed).newValue }
}

public import Synchronization

// Not replaced in an exploration, unlike the other atomics: whether a hook is set is not a step of a scenario.

/// Whether a hook is set. Off at first.
@frozen @usableFromInline
package struct HookSwitch: ~Copyable, Sendable {
    /// 0 at first, 1 while it is on, 2 when it has been on.
    @usableFromInline let storage: Atomic<UInt8>

    @usableFromInline
    package init() { storage = Atomic(0) }

    @inlinable @inline(__always)
    package var isOn: Bool { storage.load(ordering: .relaxed) == 1 }

    /// Whether it is on or has been. A thread for which it is on has seen that, and so does every thread to which it
    /// then passes an object.
    @inlinable @inline(__always)
    package var hasBeenOn: Bool { storage.load(ordering: .relaxed) != 0 }

    package func set(_ isOn: Bool) {
        if isOn { return storage.store(1, ordering: .relaxed) }
        // Stays 0 if it is.
        _ = storage.compareExchange(expected: 1, desired: 2, ordering: .relaxed)
    }
}

/// An object that is set once and never released, so that reading it takes no lock.
struct HookObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let storage = Atomic<UInt>(0)

    /// `nil` if it has not been set.
    var object: Object? {
        UnsafeRawPointer(bitPattern: storage.load(ordering: .acquiring)).map {
            Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Does nothing if it has been set before.
    func set(_ object: Object) {
        let reference = Unmanaged.passRetained(object)
        let address = UInt(bitPattern: reference.toOpaque())
        if !storage.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing).exchanged {
            reference.release()
        }
    }
}

/// Numbers that are unique in the process.
package struct ProcessCounter: ~Copyable, Sendable {
    private let storage = Atomic<UInt64>(0)

    package init() {}

    package func next() -> UInt64 { storage.wrappingAdd(1, ordering: .relaxed).newValue }
}

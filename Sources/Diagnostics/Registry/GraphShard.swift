import HotSignals

/// A part of ``GraphRegistry`` with a lock of its own.
package final class GraphShard: @unchecked Sendable {
    // Sendable: the lock guards the table.
    private let lock = WordLock()
    @exclusivity(unchecked) private var table = GraphTable()
    private let pulse = Pulse()

    package init() {}

    /// Makes a strong reference to an object whose `deinit` may have begun.
    private final class Pulse {
        weak var object: AnyObject?

        /// Returns `nil` if the `deinit` has begun. The memory of the object must not be freed in the meantime.
        @inline(never)
        func retain(_ address: UInt) -> AnyObject? {
            guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
            let candidate = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
            object = candidate
            defer { object = nil }
            // The candidate may be the last reference, so it must not be released before the result is made.
            return withExtendedLifetime(candidate) { object }
        }
    }

    package func add(_ address: UInt, _ record: GraphRecord, _ hash: UInt) {
        lock.lock()
        table.insert(address, record, hash)
        lock.unlock()
    }

    package func remove(_ address: UInt, _ hash: UInt) {
        lock.lock()
        let removed = table.remove(address, hash)
        lock.unlock()
        withExtendedLifetime(removed) {}
    }

    @inline(__always)
    func update(
        _ address: UInt, _ hash: UInt, adding record: @autoclosure () -> GraphRecord,
        _ body: (inout GraphRecord) -> Void
    ) {
        lock.lock()
        if !table.contains(address, hash) { table.insert(address, record(), hash) }
        table.update(address, hash, body)
        lock.unlock()
    }

    func updateIfMember(_ address: UInt, _ hash: UInt, _ body: (inout GraphRecord) -> Void) {
        lock.lock()
        table.update(address, hash, body)
        lock.unlock()
    }

    package var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return table.count
    }

    /// The members that are alive. The caller looks at them and releases them without the lock.
    ///
    /// An object whose `deinit` has begun waits for the lock to take itself out, so its memory is not freed while this
    /// holds the lock. Of the others the result holds a reference before any other reference that is made here is
    /// released, so no `deinit` begins under the lock.
    package func members() -> [(object: AnyObject, record: GraphRecord)] {
        var alive: [(AnyObject, GraphRecord)] = []
        lock.lock()
        alive.reserveCapacity(table.count)
        for index in 0..<table.capacity {
            let place = table[index]
            if let object = pulse.retain(place.address) { alive.append((object, place.record)) }
        }
        lock.unlock()
        return alive
    }
}

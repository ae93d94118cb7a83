/// The nodes that are linked to a node.
///
/// Each propagation goes through them, so they are read without the checks and the reference counting of an array. The
/// owner calls ``deallocate()``. (A structure that is not copyable, with a `deinit`, crashes the compiler here.)
@frozen @usableFromInline
struct Dependents {
    /// One of the nodes.
    @frozen @usableFromInline
    struct Dependent {
        /// Retained by this reference.
        @usableFromInline let node: Unmanaged<PropertyNode>
        /// The index of the node's input.
        @usableFromInline let input: Int
    }

    private var storage: UnsafeMutablePointer<Dependent>?
    private var capacity = 0
    @usableFromInline private(set) var count = 0

    @usableFromInline
    init() {}

    func deallocate() { storage?.deallocate() }

    @_alwaysEmitIntoClient
    var isEmpty: Bool { count == 0 }

    /// All nodes. Valid until one is added.
    @inline(__always)
    var all: UnsafeBufferPointer<Dependent> { UnsafeBufferPointer(start: storage, count: count) }

    mutating func append(_ new: Dependent) {
        if count == capacity { grow() }
        // It has just been made large enough.
        (storage! + count).initialize(to: new)
        count += 1
    }

    private mutating func grow() {
        capacity = max(2, 2 * capacity)
        let larger = UnsafeMutablePointer<Dependent>.allocate(capacity: capacity)
        if let storage {
            larger.moveInitialize(from: storage, count: count)
            storage.deallocate()
        }
        storage = larger
    }

    /// Removes the node at `place`, and returns it. The last one takes its place, and is returned, too, unless it is
    /// the one that is removed.
    mutating func remove(at place: Int) -> (removed: Dependent, moved: Dependent?) {
        precondition(place < count)
        // It is not empty.
        let storage = storage!
        let removed = storage[place]
        count -= 1
        if place == count { return (removed, nil) }
        storage[place] = storage[count]
        return (removed, storage[place])
    }

    mutating func removeAll() { count = 0 }
}

/// The nodes that are linked to a node. Usually there is one.
///
/// Each propagation goes through them, so they are read without the checks and the reference counting of an array. The
/// owner calls ``deallocate()``. (A structure that is not copyable, with a `deinit`, crashes the compiler here.)
@frozen @usableFromInline
struct Dependents: RandomAccessCollection {
    /// One of the nodes.
    @frozen @usableFromInline
    struct Dependent {
        /// Retained by this reference.
        @usableFromInline let node: Unmanaged<PropertyNode>
        /// The index of the node's input.
        @usableFromInline let input: Int
    }

    private var lowest: Dependent?
    private var others: UnsafeMutablePointer<Dependent>?
    private var capacity = 1
    @usableFromInline private(set) var count = 0

    @usableFromInline
    init() {}

    func deallocate() { others?.deallocate() }

    @_alwaysEmitIntoClient
    var isEmpty: Bool { count == 0 }

    @usableFromInline var startIndex: Int { 0 }

    @usableFromInline var endIndex: Int { count }

    @usableFromInline
    subscript(place: Int) -> Dependent {
        @inline(__always)
        get { place == 0 ? lowest.unsafelyUnwrapped : others.unsafelyUnwrapped[place - 1] }
        @inline(__always)
        set { if place == 0 { lowest = newValue } else { others.unsafelyUnwrapped[place - 1] = newValue } }
    }

    mutating func append(_ new: Dependent) {
        if count == capacity { grow() }
        count += 1
        self[count - 1] = new
    }

    private mutating func grow() {
        capacity *= 2
        let larger = UnsafeMutablePointer<Dependent>.allocate(capacity: capacity - 1)
        if let others {
            larger.moveInitialize(from: others, count: count - 1)
            others.deallocate()
        }
        others = larger
    }

    /// Removes the node at `place`, and returns it. The last one takes its place, and is returned, too, unless it is
    /// the one that is removed.
    mutating func remove(at place: Int) -> (removed: Dependent, moved: Dependent?) {
        precondition(place < count)
        let removed = self[place]
        count -= 1
        if place == count { return (removed, nil) }
        self[place] = self[count]
        return (removed, self[place])
    }

    mutating func removeAll() { count = 0 }
}

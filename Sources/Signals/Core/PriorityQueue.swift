/// A priority queue without a lock, as a value type. The element with the least key comes first. Elements with equal
/// keys keep their insertion order.
///
/// A heap with four children per node: half as deep as a binary heap, with adjacent siblings. Inserting in key order
/// takes constant time. Other insertions, and taking, take logarithmic time. Keys are compared with `<`. If their type
/// is the user's, the owner must not hold a lock. The memory of a burst is released when the queue becomes empty.
@frozen @usableFromInline
package struct PriorityQueue<Key: Comparable, Element> {
    @frozen @usableFromInline
    struct Entry {
        @usableFromInline let key: Key
        /// The sequence number of the insertion.
        @usableFromInline let number: UInt
        @usableFromInline let element: Element

        @_alwaysEmitIntoClient @inline(__always)
        init(key: Key, number: UInt, element: Element) {
            self.key = key
            self.number = number
            self.element = element
        }

        @_alwaysEmitIntoClient @inline(__always)
        func precedes(_ other: Entry) -> Bool {
            if key < other.key { return true }
            return number < other.number && !(other.key < key)
        }
    }

    @usableFromInline static var arity: Int { @_alwaysEmitIntoClient @inline(__always) get { 4 } }

    /// No entry precedes its parent. The parent of the entry at `i` is at `(i - 1) / 4`.
    @usableFromInline var entries: ContiguousArray<Entry> = []
    @usableFromInline var nextNumber: UInt = 0

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient
    package var count: Int { entries.count }

    @_alwaysEmitIntoClient
    package var isEmpty: Bool { entries.isEmpty }

    /// The element that ``popFirst()`` would take.
    @_alwaysEmitIntoClient
    package var first: (key: Key, element: Element)? { entries.first.map { ($0.key, $0.element) } }

    /// The number of ``first``: see ``insert(_:at:as:)``.
    @_alwaysEmitIntoClient
    package var firstNumber: UInt? { entries.first?.number }

    /// The key of ``first``.
    @_alwaysEmitIntoClient
    package var firstKey: Key? { entries.first?.key }

    @_alwaysEmitIntoClient
    package mutating func insert(_ element: Element, at key: Key) {
        insert(element, at: key, as: nextNumber)
        nextNumber &+= 1
    }

    /// Inserts an element that has been taken again, with the number of its first insertion. So it keeps its order
    /// among elements with equal keys.
    @_alwaysEmitIntoClient
    package mutating func insert(_ element: Element, at key: Key, as number: UInt) {
        entries.append(Entry(key: key, number: number, element: element))
        raise(from: entries.count - 1)
    }

    @_alwaysEmitIntoClient @discardableResult
    package mutating func popFirst() -> (key: Key, element: Element)? {
        guard let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else {
            if entries.capacity > 64 { entries = [] }
            return (last.key, last.element)
        }
        let first = entries.withUnsafeMutableBufferPointer { buffer in
            // The buffer is not empty, so it has an address.
            let base = buffer.baseAddress.unsafelyUnwrapped
            let first = base.move()
            Self.fill(0, with: last, base, buffer.count)
            return first
        }
        return (first.key, first.element)
    }

    /// Takes the first element if its key is not greater than `limit`.
    @_alwaysEmitIntoClient
    package mutating func popFirst(through limit: Key) -> (key: Key, element: Element)? {
        guard let first = entries.first, !(limit < first.key) else { return nil }
        return popFirst()
    }

    /// Visits elements in no particular order, except that each element comes after its parent in the heap, whose key
    /// is not greater.
    ///
    /// - Parameter visit: Returns whether to visit the children of the element, too.
    @_alwaysEmitIntoClient
    package func descend(_ visit: (Key, Element) -> Bool) {
        var next = entries.isEmpty ? [] : [0]
        while let place = next.popLast() {
            guard visit(entries[place].key, entries[place].element) else { continue }
            let firstChild = place * Self.arity + 1
            for child in firstChild..<max(firstChild, min(firstChild + Self.arity, entries.count)) {
                next.append(child)
            }
        }
    }

    /// Removes the elements that match a condition, in linear time. The others keep their order.
    ///
    /// - Returns: The removed elements, to be released where no lock is held.
    @_alwaysEmitIntoClient
    package mutating func removeAll(where isUnwanted: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        // Grows while it is filled, so that the memory of a burst is freed.
        var kept: ContiguousArray<Entry> = []
        for entry in entries {
            if isUnwanted(entry.element) { removed.append(entry.element) } else { kept.append(entry) }
        }
        guard !removed.isEmpty else { return [] }
        entries = kept
        let count = kept.count
        guard count > 1 else { return removed }
        entries.withUnsafeMutableBufferPointer { buffer in
            // The buffer is not empty, so it has an address.
            let base = buffer.baseAddress.unsafelyUnwrapped
            var parent = (count - 2) / Self.arity
            while parent >= 0 {
                Self.fill(parent, with: (base + parent).move(), base, count)
                parent -= 1
            }
        }
        return removed
    }

    /// Moves an entry up until it does not precede its parent.
    @_alwaysEmitIntoClient
    mutating func raise(from start: Int) {
        guard start > 0, entries[start].precedes(entries[(start - 1) / Self.arity]) else { return }
        entries.withUnsafeMutableBufferPointer { buffer in
            // The buffer is not empty, so it has an address.
            let base = buffer.baseAddress.unsafelyUnwrapped
            let entry = (base + start).move()
            var hole = start
            while hole > 0 {
                let parent = (hole &- 1) / Self.arity
                guard entry.precedes(base[parent]) else { break }
                (base + hole).moveInitialize(from: base + parent, count: 1)
                hole = parent
            }
            (base + hole).initialize(to: entry)
        }
    }

    /// Puts an entry into a hole or below it, so that from there on no entry precedes its parent.
    @_alwaysEmitIntoClient
    static func fill(_ start: Int, with entry: Entry, _ base: UnsafeMutablePointer<Entry>, _ count: Int) {
        var hole = start
        while true {
            let firstChild = hole &* arity &+ 1
            guard firstChild < count else { break }
            var least = firstChild
            let end = min(firstChild &+ arity, count)
            var child = firstChild &+ 1
            while child < end {
                if base[child].precedes(base[least]) { least = child }
                child &+= 1
            }
            guard base[least].precedes(entry) else { break }
            (base + hole).moveInitialize(from: base + least, count: 1)
            hole = least
        }
        (base + hole).initialize(to: entry)
    }
}

extension PriorityQueue: Sendable where Key: Sendable, Element: Sendable {}
extension PriorityQueue.Entry: Sendable where Key: Sendable, Element: Sendable {}

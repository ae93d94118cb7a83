/// A FIFO queue without a lock, as a value type. A ring buffer that grows, and releases the memory of a burst when few
/// elements are left.
@frozen @usableFromInline
package struct Queue<Element> {
    /// `nil` in unused slots. The number of slots is a power of two.
    @usableFromInline var slots: ContiguousArray<Element?> = []
    @usableFromInline var head = 0
    @usableFromInline package internal(set) var count = 0
    @usableFromInline let owner = Owner(of: "a queue")

    @inlinable
    package init() {}

    /// How many elements fit before the queue grows.
    package var capacity: Int { slots.count }

    /// Creates a queue with one element.
    @inlinable
    package init(_ element: Element) { append(element) }

    @inlinable
    package var isEmpty: Bool {
        owner.reads()
        return count == 0
    }

    @_alwaysEmitIntoClient
    package var first: Element? { isEmpty ? nil : slots[head] }

    /// - Parameter position: The offset from the first element. Must be less than the count.
    @_alwaysEmitIntoClient
    package subscript(position: Int) -> Element {
        // Every slot between the first and the last element is filled.
        slots[(head &+ position) & (slots.count &- 1)].unsafelyUnwrapped
    }

    @inlinable
    package mutating func append(_ element: Element) {
        owner.writes()
        if count == slots.count { grow() }
        slots[(head &+ count) & (slots.count &- 1)] = element
        count += 1
    }

    @inlinable @inline(__always)
    @discardableResult
    package mutating func popFirst() -> Element? {
        owner.writes()
        guard count > 0 else { return nil }
        let first = slots[head].take()
        head = (head &+ 1) & (slots.count &- 1)
        count -= 1
        if slots.count > 64, count &* 8 < slots.count { resize(to: slots.count / 4) }
        return first
    }

    /// Inserts an element before the first one.
    @_alwaysEmitIntoClient
    package mutating func prepend(_ element: Element) {
        owner.writes()
        if count == slots.count { grow() }
        head = (head &- 1) & (slots.count &- 1)
        slots[head] = element
        count += 1
    }

    @_alwaysEmitIntoClient
    package mutating func popLast() -> Element? {
        owner.writes()
        guard count > 0 else { return nil }
        count -= 1
        return slots[(head &+ count) & (slots.count &- 1)].take()
    }

    @inlinable
    mutating func grow() { resize(to: Swift.max(4, slots.count * 2)) }

    /// - Parameter capacity: A power of two, and at least the count.
    @inlinable @inline(never)
    mutating func resize(to capacity: Int) {
        var resized = ContiguousArray<Element?>(repeating: nil, count: capacity)
        for position in 0..<count { swap(&resized[position], &slots[(head &+ position) & (slots.count &- 1)]) }
        slots = resized
        head = 0
    }
}

extension Queue: Sendable where Element: Sendable {}

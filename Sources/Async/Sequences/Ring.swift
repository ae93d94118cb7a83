public import HotSignals

/// A queue in one buffer, without synchronization. Its user guarantees exclusive access and frees it explicitly.
///
/// Unlike an array, it moves elements out, so that none lives longer than its reader needs it. The memory of more than
/// 1,024 elements is released when the ring becomes empty.
@frozen
@usableFromInline
package struct Ring<Element>: @unchecked Sendable {
    // Sendable: the code that holds it guards it.
    @usableFromInline var base: UnsafeMutablePointer<Element>?
    /// A power of two, or 0.
    @usableFromInline package internal(set) var capacity = 0
    @usableFromInline var head = 0
    @usableFromInline package var count = 0
    @usableFromInline let owner = Owner(of: "a ring")

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient @inline(__always)
    package mutating func append(_ element: consuming Element) {
        owner.writes()
        if count == capacity { grow() }
        // There is room, so there is a buffer.
        (base.unsafelyUnwrapped + ((head &+ count) & (capacity &- 1))).initialize(to: element)
        count &+= 1
    }

    @_alwaysEmitIntoClient @inline(__always)
    package mutating func takeFirst() -> Element? {
        owner.writes()
        guard count > 0 else { return nil }
        // The ring is not empty, so there is a buffer.
        let element = (base.unsafelyUnwrapped + head).move()
        head = (head &+ 1) & (capacity &- 1)
        count &-= 1
        if count == 0, capacity > 1_024 { shrink() }
        return element
    }

    @_alwaysEmitIntoClient @inline(never)
    mutating func shrink() {
        base?.deallocate()
        (base, capacity, head) = (nil, 0, 0)
    }

    @_alwaysEmitIntoClient @inline(never)
    mutating func grow() {
        let new = UnsafeMutablePointer<Element>.allocate(capacity: max(16, capacity * 2))
        if let base {
            // The buffer is full: the elements go from the head to its end, then continue at its beginning.
            new.moveInitialize(from: base + head, count: capacity - head)
            (new + (capacity - head)).moveInitialize(from: base, count: head)
            base.deallocate()
        }
        base = new
        capacity = max(16, capacity * 2)
        head = 0
    }

    /// Releases all elements, which may run user code.
    @_alwaysEmitIntoClient
    package mutating func deallocate() {
        while takeFirst() != nil {}
        base?.deallocate()
        self = Ring()
    }
}

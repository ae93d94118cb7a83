extension Sequence where Self: Sendable, Element: Sendable {
    /// A ``MemoizedSequence`` of the same elements, which are read from this sequence one by one as they are needed.
    ///
    /// Iterates this sequence at most once, whatever is derived from the result. A memoized sequence is returned
    /// unchanged.
    ///
    /// ```swift
    /// let even = (1...).memoized.filter { $0.isMultiple(of: 2) }
    /// Array(even.prefix(3))       // [2, 4, 6]
    /// ```
    @inlinable
    public var memoized: MemoizedSequence<Element> {
        if let memoized = self as? MemoizedSequence<Element> { return memoized }
        return MemoizedSequence(start: MemoSource(self).link())
    }
}

/// A sequence from which links are created.
@_fixed_layout @usableFromInline
final class MemoSource<Base: Sequence & Sendable>: @unchecked Sendable where Base.Element: Sendable {
    // Sendable: a link is evaluated once, and leads to the only next one. So calls never overlap.

    /// `nil` once the iteration has begun.
    @usableFromInline var base: Base?
    /// `nil` before and after the iteration.
    @usableFromInline var iterator: Base.Iterator?

    @inlinable
    init(_ base: Base) { self.base = base }

    @inlinable
    func link() -> MemoLink<Base.Element> { Memo(.run { self.next() }) }

    @inlinable
    func next() -> MemoStep<MemoNode<Base.Element>?> {
        if let base {
            iterator = base.makeIterator()
            self.base = nil
        }
        guard let element = iterator?.next() else {
            iterator = nil
            return .known(nil)
        }
        return .known(MemoNode(head: Memo(known: element), tail: link()))
    }
}

public import HotSignals

extension MemoizedSequence {
    /// The first `count` elements, or all if there are fewer.
    ///
    /// ```swift
    /// Array((1...).memoized.prefix(3))        // [1, 2, 3]
    /// ```
    ///
    /// Elements after them are never evaluated.
    ///
    /// - Parameter count: The number of elements. Traps if negative.
    @inlinable
    public func prefix(_ count: Int) -> MemoizedSequence {
        require(count >= 0, "MemoizedSequence.prefix(\(count)): the count must not be negative")
        return derive(start.prefixed(count))
    }

    /// The elements before the first one that fails a test.
    ///
    /// ```swift
    /// Array((1...).memoized.prefix { $0 < 4 })        // [1, 2, 3]
    /// ```
    ///
    /// - Parameter predicate: Called once for each of these elements, and for the first one that fails.
    @inlinable
    public func prefix(while predicate: @escaping @Sendable (Element) -> Bool) -> MemoizedSequence {
        derive(Memo(start.prefixed(while: predicate)))
    }
}

extension Memo {
    @inlinable
    func prefixed<Element>(_ count: Int) -> MemoLink<Element> where Value == MemoNode<Element>? {
        if count == 0 { return MemoLink(known: nil) }
        return MemoLink(
            .with(self) { node in
                .known(node.map { MemoNode(head: $0.head, tail: $0.tail.prefixed(count - 1)) })
            })
    }

    @inlinable
    func prefixed<Element>(
        while predicate: @escaping @Sendable (Element) -> Bool
    ) -> MemoStep<Value> where Value == MemoNode<Element>? {
        .with(self) { node in
            guard let node else { return .known(nil) }
            return .with(node.head) { element in
                guard predicate(element) else { return .known(nil) }
                return .known(MemoNode(head: node.head, tail: Memo(node.tail.prefixed(while: predicate))))
            }
        }
    }
}

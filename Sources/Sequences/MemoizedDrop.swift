public import HotSignals

extension MemoizedSequence {
    /// The elements after the first `count`, which are computed only if that is necessary to find the next one.
    ///
    /// ```swift
    /// Array([1, 2, 3, 4].memoized.dropFirst(2))       // [3, 4]
    /// ```
    ///
    /// Like ``tail``, but does not search for an element until one is requested.
    ///
    /// - Parameter count: The number of elements. Traps if negative.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> MemoizedSequence {
        require(count >= 0, "MemoizedSequence.dropFirst(\(count)): the count must not be negative")
        return derive(Memo(start.dropped(count)))
    }

    /// The elements from the first one that fails a test.
    ///
    /// ```swift
    /// Array([1, 2, 3, 1].memoized.drop { $0 < 3 })        // [3, 1]
    /// ```
    ///
    /// - Parameter predicate: Called once for each dropped element, and for the first one that is kept.
    @inlinable
    public func drop(while predicate: @escaping @Sendable (Element) -> Bool) -> MemoizedSequence {
        derive(Memo(start.dropped(while: predicate)))
    }
}

extension Memo {
    @inlinable
    func dropped<Element>(_ count: Int) -> MemoStep<Value> where Value == MemoNode<Element>? {
        if count == 0 { return .same(self) }
        return .with(self) { node in
            guard let node else { return .known(nil) }
            return node.tail.dropped(count - 1)
        }
    }

    @inlinable
    func dropped<Element>(
        while predicate: @escaping @Sendable (Element) -> Bool
    ) -> MemoStep<Value> where Value == MemoNode<Element>? {
        .with(self) { node in
            guard let node else { return .known(nil) }
            return .with(node.head) { predicate($0) ? node.tail.dropped(while: predicate) : .known(node) }
        }
    }
}

extension MemoizedSequence {
    /// Each element together with the previous one, and the first element together with `initial`.
    ///
    /// ```swift
    /// Array([1, 2].memoized.combinePrevious(0))       // [(0, 1), (1, 2)]
    /// ```
    ///
    /// - Parameter initial: The predecessor of the first element.
    @inlinable
    public func combinePrevious(_ initial: Element) -> MemoizedSequence<(Element, Element)> {
        derive(start.combined(withPrevious: Memo(known: initial)))
    }

    /// Each element except the first together with the previous one.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.combinePrevious())     // [(1, 2), (2, 3)]
    /// ```
    @inlinable
    public func combinePrevious() -> MemoizedSequence<(Element, Element)> {
        derive(
            Memo(
                .with(start) { node in
                    guard let node else { return .known(nil) }
                    return .same(node.tail.combined(withPrevious: node.head))
                }))
    }
}

extension Memo {
    @inlinable
    func combined<Element>(
        withPrevious previous: Memo<Element>
    ) -> MemoLink<(Element, Element)> where Value == MemoNode<Element>? {
        MemoLink(
            .with(self) { node in
                guard let node else { return .known(nil) }
                return .known(
                    MemoNode(
                        head: .pair(previous, node.head),
                        tail: node.tail.combined(withPrevious: node.head)))
            })
    }
}

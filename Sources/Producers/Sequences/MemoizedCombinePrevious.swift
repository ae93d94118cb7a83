extension MemoizedSequence {
    /// Each element together with the one before it, the first one with `initial`.
    ///
    /// ```swift
    /// Array([1, 2].memoized.combinePrevious(0))       // [(0, 1), (1, 2)]
    /// ```
    ///
    /// - Parameter initial: What stands before the first element.
    public func combinePrevious(_ initial: Element) -> MemoizedSequence<(Element, Element)> {
        derive(start.combined(withPrevious: Memo(known: initial)))
    }

    /// Each element but the first together with the one before it.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.combinePrevious())     // [(1, 2), (2, 3)]
    /// ```
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
    fileprivate func combined<Element>(
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

extension MemoizedSequence {
    /// The results of combining ever more elements, beginning with the initial value.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.reductions(0, +))      // [0, 1, 3, 6]
    /// ```
    ///
    /// Reading an element computes all previous ones, in order and without a deep stack.
    ///
    /// - Parameters:
    ///   - initial: The first element.
    ///   - nextResult: Called once per element, with the previous result.
    @inlinable
    public func reductions<Result>(
        _ initial: Result, _ nextResult: @escaping @Sendable (Result, Element) -> Result
    ) -> MemoizedSequence<Result> {
        derive(Memo(known: start.reductions(after: Memo(known: initial), nextResult)))
    }

    /// The results of combining ever more elements, beginning with the first element.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.reductions(+))     // [1, 3, 6]
    /// ```
    ///
    /// - Parameter nextResult: Called once for each element except the first, with the previous result.
    @inlinable
    public func reductions(
        _ nextResult: @escaping @Sendable (Element, Element) -> Element
    ) -> MemoizedSequence {
        derive(
            Memo(
                .with(start) { node in
                    .known(node.map { $0.tail.reductions(after: $0.head, nextResult) })
                }))
    }
}

extension Memo {
    @inlinable
    func reductions<Element, Result>(
        after result: Memo<Result>, _ nextResult: @escaping @Sendable (Result, Element) -> Result
    ) -> MemoNode<Result> where Value == MemoNode<Element>? {
        MemoNode(
            head: result,
            tail: MemoLink(
                .with(self) { node in
                    guard let node else { return .known(nil) }
                    let next = Memo<Result>(
                        .with(result) { result in .with(node.head) { .known(nextResult(result, $0)) } })
                    return .known(node.tail.reductions(after: next, nextResult))
                }))
    }
}

extension MemoizedSequence {
    /// The results of a closure, which is called for an element when its result is requested.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.map { $0 * 10 })       // [10, 20, 30]
    /// ```
    ///
    /// - Parameter transform: Called at most once per element, and not to determine whether there is an element.
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> MemoizedSequence<Result> {
        derive(start.mapped(transform))
    }
}

extension Memo {
    @inlinable
    func mapped<Element, Result>(
        _ transform: @escaping @Sendable (Element) -> Result
    ) -> MemoLink<Result> where Value == MemoNode<Element>? {
        MemoLink(
            .with(self) { node in
                guard let node else { return .known(nil) }
                return .known(
                    MemoNode(
                        head: Memo<Result>(.with(node.head) { .known(transform($0)) }),
                        tail: node.tail.mapped(transform)))
            })
    }
}

extension MemoizedSequence {
    /// The results of a closure, which runs for an element when its result is asked for.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.map { $0 * 10 })       // [10, 20, 30]
    /// ```
    ///
    /// - Parameter transform: Called once an element at most; not to find out whether there is one.
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> MemoizedSequence<Result> {
        derive(start.mapped(transform))
    }
}

extension Memo {
    fileprivate func mapped<Element, Result>(
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

extension MemoizedSequence {
    /// The elements of the sequences that a closure makes of the elements, one sequence after the other.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.flatMap { [$0, $0] })      // [1, 1, 2, 2, 3, 3]
    /// ```
    ///
    /// Any number of sequences in a row may be empty, without a deep stack.
    ///
    /// - Parameter transform: Called once an element, when the sequences before it have been used up. If it
    ///   returns memoized sequences, they are used as they are.
    public func flatMap<Inner: Sequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> MemoizedSequence<Inner.Element> where Inner.Element: Sendable {
        derive(Memo(start.flatMapped { transform($0).memoized.start }))
    }
}

extension MemoizedSequence where Element: Sequence, Element.Element: Sendable {
    /// The elements of the sequences that are the elements, one sequence after the other.
    ///
    /// ```swift
    /// Array([[1, 2], [], [3]].memoized.flatten())     // [1, 2, 3]
    /// ```
    public func flatten() -> MemoizedSequence<Element.Element> { flatMap { $0 } }
}

extension Memo {
    fileprivate func flatMapped<Element, Inner>(
        _ transform: @escaping @Sendable (Element) -> MemoLink<Inner>
    ) -> MemoStep<MemoNode<Inner>?> where Value == MemoNode<Element>? {
        .with(self) { node in
            guard let node else { return .known(nil) }
            return .with(node.head) {
                .same(transform($0).followed(by: .link(MemoLink<Inner>(node.tail.flatMapped(transform)))))
            }
        }
    }
}

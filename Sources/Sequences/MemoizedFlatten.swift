extension MemoizedSequence {
    /// The elements of the sequences that a closure returns for the elements, one sequence after another.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.flatMap { [$0, $0] })      // [1, 1, 2, 2, 3, 3]
    /// ```
    ///
    /// Consecutive empty sequences do not deepen the stack.
    ///
    /// - Parameter transform: Called once per element, when the previous sequences are exhausted. Memoized sequences
    ///   that it returns are used directly.
    @inlinable
    public func flatMap<Inner: Sequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Inner
    ) -> MemoizedSequence<Inner.Element> where Inner.Element: Sendable {
        derive(Memo(start.flatMapped { transform($0).memoized.start }))
    }
}

extension MemoizedSequence where Element: Sequence, Element.Element: Sendable {
    /// The elements of all inner sequences, one sequence after another.
    ///
    /// ```swift
    /// Array([[1, 2], [], [3]].memoized.flatten())     // [1, 2, 3]
    /// ```
    @inlinable
    public func flatten() -> MemoizedSequence<Element.Element> { flatMap { $0 } }
}

extension Memo {
    @inlinable
    func flatMapped<Element, Inner>(
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

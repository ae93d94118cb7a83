extension MemoizedSequence {
    /// Pairs of the elements at the same position in this sequence and another. Ends with the shorter one.
    ///
    /// ```swift
    /// Array([1, 2, 3].memoized.zip(with: ["a", "b"].memoized))        // [(1, "a"), (2, "b")]
    /// ```
    @inlinable
    public func zip<Other>(with other: MemoizedSequence<Other>) -> MemoizedSequence<(Element, Other)> {
        derive(start.zipped(with: other.start))
    }
}

extension Memo {
    @inlinable
    func zipped<First, Second>(
        with other: MemoLink<Second>
    ) -> MemoLink<(First, Second)> where Value == MemoNode<First>? {
        MemoLink(
            .with(self) { first in
                guard let first else { return .known(nil) }
                return .with(other) { second in
                    guard let second else { return .known(nil) }
                    return .known(
                        MemoNode(
                            head: .pair(first.head, second.head),
                            tail: first.tail.zipped(with: second.tail)))
                }
            })
    }

    /// The values of two memos. The first one is computed first.
    @inlinable
    static func pair<First, Second>(
        _ first: Memo<First>, _ second: Memo<Second>
    ) -> Memo<(First, Second)> where Value == (First, Second) {
        Memo(.with(first) { first in .with(second) { .known((first, $0)) } })
    }
}

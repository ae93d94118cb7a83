extension MemoizedSequence {
    /// The elements that pass a test.
    ///
    /// ```swift
    /// Array((1...9).memoized.filter { $0.isMultiple(of: 2) })     // [2, 4, 6, 8]
    /// ```
    ///
    /// Consecutive elements that fail the test do not deepen the stack. ``isEmpty`` and ``tail`` search for the first
    /// element that passes, and never return if no element of an infinite sequence does.
    ///
    /// - Parameter isIncluded: Called once per element.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> MemoizedSequence {
        derive(Memo(start.filtered(isIncluded)))
    }
}

extension Memo {
    @inlinable
    func filtered<Element>(
        _ isIncluded: @escaping @Sendable (Element) -> Bool
    ) -> MemoStep<Value> where Value == MemoNode<Element>? {
        .with(self) { node in
            guard let node else { return .known(nil) }
            return .with(node.head) { element in
                guard isIncluded(element) else { return node.tail.filtered(isIncluded) }
                return .known(MemoNode(head: node.head, tail: Memo(node.tail.filtered(isIncluded))))
            }
        }
    }
}

extension MemoizedSequence {
    /// The elements that pass a test.
    ///
    /// ```swift
    /// Array((1...9).memoized.filter { $0.isMultiple(of: 2) })     // [2, 4, 6, 8]
    /// ```
    ///
    /// Any number of elements in a row may fail, without a deep stack. Asking for ``isEmpty`` or ``tail`` looks for the first
    /// element that passes, without end if none of infinitely many does.
    ///
    /// - Parameter isIncluded: Called once an element.
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> MemoizedSequence {
        derive(Memo(start.filtered(isIncluded)))
    }
}

extension Memo {
    fileprivate func filtered<Element>(
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

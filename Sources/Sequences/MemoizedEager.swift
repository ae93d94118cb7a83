extension MemoizedSequence {
    /// This sequence with every element computed, immediately and on the caller's thread. Sequences derived from it are
    /// eager too.
    ///
    /// For an operator that takes a second sequence, this one determines whether the result is eager. Never returns if
    /// the sequence is infinite.
    ///
    /// ```swift
    /// let squares = [1, 2, 3].memoized.eager.map { $0 * $0 }      // the closure has run three times
    /// ```
    @inlinable
    public var eager: MemoizedSequence {
        var rest = start
        while let node = rest.value {
            _ = node.head.value
            rest = node.tail
        }
        return MemoizedSequence(start: start, isEager: true)
    }

    /// This sequence without eager evaluation: sequences derived from it do not compute their elements in advance.
    /// Undoes ``eager``.
    ///
    /// ```swift
    /// let squares = [1, 2, 3].memoized.eager.lazy.map { $0 * $0 }     // the closure has not run
    /// ```
    @inlinable
    public var lazy: MemoizedSequence { MemoizedSequence(start: start) }
}

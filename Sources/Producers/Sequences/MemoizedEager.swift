extension MemoizedSequence {
    /// This sequence with every element worked out, now and on the caller's thread; what is derived from it will be too.
    ///
    /// It decides for operators that take a second sequence. Never returns if the sequence has no end.
    ///
    /// ```swift
    /// let squares = [1, 2, 3].memoized.eager.map { $0 * $0 }      // the closure has run three times
    /// ```
    public var eager: MemoizedSequence {
        var rest = start
        while let node = rest.value {
            _ = node.head.value
            rest = node.tail
        }
        return MemoizedSequence(start: start, isEager: true)
    }

    /// This sequence, from which others are derived without working out their elements. Undoes ``eager`` for what follows.
    ///
    /// ```swift
    /// let squares = [1, 2, 3].memoized.eager.lazy.map { $0 * $0 }     // the closure has not run
    /// ```
    public var lazy: MemoizedSequence { MemoizedSequence(start: start) }
}

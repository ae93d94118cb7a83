extension MemoizedSequence {
    /// The elements of this sequence, then those of another.
    ///
    /// ```swift
    /// Array([1, 2].memoized.concat([3].memoized))     // [1, 2, 3]
    /// ```
    public func concat(_ next: MemoizedSequence) -> MemoizedSequence {
        let next = next.start
        return derive(Memo(start.followed { .same(next) }))
    }
}

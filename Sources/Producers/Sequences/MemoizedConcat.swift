extension MemoizedSequence {
    /// The elements of this sequence, then those of another.
    ///
    /// ```swift
    /// Array([1, 2].memoized.concat([3].memoized))     // [1, 2, 3]
    /// ```
    ///
    /// Any number of sequences can be joined one by one, to either side: an element costs the same.
    public func concat(_ next: MemoizedSequence) -> MemoizedSequence {
        derive(start.followed(by: .link(next.start)))
    }
}

extension MemoizedSequence {
    /// The elements of this sequence, then those of another.
    ///
    /// ```swift
    /// Array([1, 2].memoized.concat([3].memoized))     // [1, 2, 3]
    /// ```
    ///
    /// You can concatenate any number of sequences one by one, on either side: the cost per element stays the same.
    @inlinable
    public func concat(_ next: MemoizedSequence) -> MemoizedSequence {
        derive(start.followed(by: .link(next.start)))
    }
}

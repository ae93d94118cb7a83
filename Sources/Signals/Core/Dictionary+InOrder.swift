extension Dictionary where Key == UInt {
    /// Calls `body` with each value, in the order of the numbers: that in which the values were added.
    ///
    /// The order of the dictionary itself is another one each time, and what is disposed of in one has to be the same in the next run.
    @inlinable
    package func forEachInOrder(_ body: (Value) -> Void) {
        if count < 2 {
            for value in values { body(value) }
        } else {
            for (_, value) in sorted(by: { $0.key < $1.key }) { body(value) }
        }
    }
}

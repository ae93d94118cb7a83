extension Dictionary where Key == UInt {
    /// Calls `body` with each value in ascending order of the keys, which is the order in which the values were added.
    ///
    /// The dictionary's own order differs from run to run, but disposal must happen in the same order in each.
    @_alwaysEmitIntoClient
    package func forEachInOrder(_ body: (Value) -> Void) {
        if count < 2 {
            for value in values { body(value) }
        } else {
            for (_, value) in sorted(by: { $0.key < $1.key }) { body(value) }
        }
    }
}

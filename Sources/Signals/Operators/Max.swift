extension Signal where Value: Comparable {
    /// Sends the largest value when the source completes.
    ///
    /// ```marbles
    /// source          --2--3--1--|
    /// source.max()    -----------3|
    /// ```
    ///
    /// Of several equal values, sends the first one. Without values, only completes. An error or an interruption is
    /// forwarded, and no value is sent. Buffers one value.
    ///
    /// - SeeAlso: ``defaultIfEmpty(_:)``, for a value if there was none.
    @_alwaysEmitIntoClient
    public func max() -> Signal {
        derive("max") { ExtremeSink(replaces: { $0 < $1 }, downstream: $0) }
    }
}

extension Signal {
    /// Sends the largest value, according to an ordering, when the source completes.
    ///
    /// ```marbles
    /// source                                      --2--3--1--|
    /// source.max { abs($0 - 3) < abs($1 - 3) }    -----------1|
    /// ```
    ///
    /// Of several equal values, sends the first one. Without values, only completes. An error or an interruption is
    /// forwarded, and no value is sent. Buffers one value.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first argument is smaller than the second. Called once per value
    ///   except the first, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func max(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        derive("max(by:)") { ExtremeSink(replaces: areInIncreasingOrder, downstream: $0) }
    }
}

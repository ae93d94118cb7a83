extension Signal {
    /// Sends the last value that passes a test when the source completes.
    ///
    /// ```marbles
    /// source                         --1--2--3--|
    /// source.last { $0 % 2 == 1 }    -----------3|
    /// ```
    ///
    /// If no value passes, only completes. An error or an interruption is forwarded, and no value is sent. Buffers one
    /// value.
    ///
    /// - Parameter isIncluded: Called once per value, whatever the number of observers.
    /// - SeeAlso: `last()` of ReactiveAsync, which waits for a value in async code.
    @_alwaysEmitIntoClient
    public func last(where isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        derive("last(where:)") {
            FilterSink(isIncluded: isIncluded, downstream: TakeLastSink(count: 1, downstream: $0))
        }
    }
}

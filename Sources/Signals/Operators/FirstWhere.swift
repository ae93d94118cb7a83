extension Signal {
    /// Sends the first value that passes a test, then completes.
    ///
    /// Like ``contains(where:)``, but sends the value itself.
    ///
    /// ```marbles
    /// source                          --1--2--3--|
    /// source.first { $0 % 2 == 0 }    -----2|
    /// ```
    ///
    /// Completes, and releases the source, during the delivery of that value. If no value passes, forwards the terminal
    /// event of the source.
    ///
    /// - Parameter isIncluded: Called once per value until it returns `true`, whatever the number of observers.
    /// - SeeAlso: `first()` of ReactiveAsync, which waits for a value in async code.
    @_alwaysEmitIntoClient
    public func first(where isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        derive("first(where:)") {
            FilterSink(isIncluded: isIncluded, downstream: TakeFirstSink(count: 1, downstream: $0))
        }
    }
}

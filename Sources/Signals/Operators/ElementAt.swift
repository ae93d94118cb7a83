extension Signal {
    /// Sends the value at an index, then completes.
    ///
    /// ```marbles
    /// source                   --1--2--3--|
    /// source.element(at: 1)    -----2|
    /// ```
    ///
    /// Completes, and releases the source, during the delivery of that value. If the source ends before that, forwards
    /// its terminal event.
    ///
    /// - Parameters:
    ///   - index: The number of values before it. Traps if negative.
    /// - SeeAlso: ``defaultIfEmpty(_:)``, for a source that ends too early.
    @_alwaysEmitIntoClient
    public func element(at index: Int) -> Signal {
        require(index >= 0, "element(at: \(index)): the index must not be negative")
        return derive("element(at: #)", argument: index) {
            SkipFirstSink(count: index, downstream: TakeFirstSink(count: 1, downstream: $0))
        }
    }
}

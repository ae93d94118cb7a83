extension SignalProducer {
    /// Sends the values that pass a test.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start.
    ///
    /// - Parameter isIncluded: Called once per value, whatever the number of observers.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("filter:") { FilterSink(isIncluded: isIncluded, downstream: $0) }
    }
}

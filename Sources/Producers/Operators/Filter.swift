extension SignalProducer {
    /// Sends the values that pass a test.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter isIncluded: Called once a value, whatever the number of observers.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("filter:") { FilterSink(isIncluded: isIncluded, downstream: $0) }
    }
}

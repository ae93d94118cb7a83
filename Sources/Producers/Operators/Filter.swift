extension SignalProducer {
    /// Sends the values that pass a test.
    ///
    /// Like ``/HotSignals/Signal/filter(_:)`` of signals, separately for each start.
    ///
    /// - Parameter isIncluded: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("filter:") { FilterSink(isIncluded: isIncluded, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends the last value that passes a test when the source completes.
    ///
    /// Like ``/HotSignals/Signal/last(where:)`` of signals, separately for each start.
    ///
    /// - Parameter isIncluded: Called once per value.
    @_alwaysEmitIntoClient
    public func last(where isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("last(where:)") {
            FilterSink(isIncluded: isIncluded, downstream: TakeLastSink(count: 1, downstream: $0))
        }
    }
}

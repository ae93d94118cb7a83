extension SignalProducer {
    /// Sends the first value that passes a test, then completes.
    ///
    /// Like ``/HotSignals/Signal/first(where:)`` of signals, separately for each start. Cancels the work with that
    /// value.
    ///
    /// - Parameter isIncluded: Called once per value until it returns `true`.
    @_alwaysEmitIntoClient
    public func first(where isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("first(where:)") {
            FilterSink(isIncluded: isIncluded, downstream: TakeFirstSink(count: 1, downstream: $0))
        }
    }
}

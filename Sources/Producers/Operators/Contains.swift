extension SignalProducer {
    /// Sends whether at least one value passes a test.
    ///
    /// Like ``/HotSignals/Signal/contains(where:)`` of signals, separately for each start.
    ///
    /// - Parameter isIncluded: Called once per value until it returns `true`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func contains(where isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Bool, Failure> {
        derive("contains(where:)") { SearchSink(isFound: isIncluded, found: true, downstream: $0) }
    }
}

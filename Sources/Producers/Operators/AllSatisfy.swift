extension SignalProducer {
    /// Sends whether all values pass a test.
    ///
    /// Like ``/HotSignals/Signal/allSatisfy(_:)`` of signals, separately for each start.
    ///
    /// - Parameter isSatisfied: Called once per value until it returns `false`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func allSatisfy(_ isSatisfied: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Bool, Failure> {
        derive("allSatisfy:") { SearchSink(isFound: { !isSatisfied($0) }, found: false, downstream: $0) }
    }
}

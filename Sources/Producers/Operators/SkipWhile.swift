extension SignalProducer {
    /// Drops values as long as they pass a test, and sends all values from the first one that fails it.
    ///
    /// Like ``/HotSignals/Signal/skip(while:)`` of signals, separately for each start.
    ///
    /// - Parameter shouldSkip: Called once per value until it returns `false`, and not afterwards.
    @_alwaysEmitIntoClient
    public func skip(while shouldSkip: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("skip(while:)") { SkipWhileSink(shouldSkip: shouldSkip, downstream: $0) }
    }
}

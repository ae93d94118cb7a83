extension SignalProducer {
    /// Drops values as long as they pass a test, and sends all from the first that does not.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter shouldSkip: Called once a value until it returns false, and never again.
    @inlinable
    public func skip(while shouldSkip: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("skip(while:)") { SkipWhileSink(shouldSkip: shouldSkip, downstream: $0) }
    }
}

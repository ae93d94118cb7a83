extension SignalProducer {
    /// Sends values as long as they pass a test, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(while:)`` of signals, separately for each start.
    ///
    /// - Parameter shouldContinue: Called once per value until it returns `false`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func take(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("take(while:)") { TakeWhileSink(shouldContinue: shouldContinue, downstream: $0) }
    }
}

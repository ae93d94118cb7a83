extension SignalProducer {
    /// Sends values as long as they pass a test, and the first one that fails it, then completes.
    ///
    /// Like ``/HotSignals/Signal/take(throughWhile:)`` of signals, separately for each start.
    ///
    /// - Parameter shouldContinue: Called once per value until it returns `false`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func take(throughWhile shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer {
        derive("take(throughWhile:)") {
            TakeWhileSink(shouldContinue: shouldContinue, includesLast: true, downstream: $0)
        }
    }
}

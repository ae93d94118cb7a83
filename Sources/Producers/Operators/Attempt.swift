extension SignalProducer {
    /// Runs an action with each value, and fails with the first error that it throws.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter action: Called once a value, whatever the number of observers.
    @inlinable
    public func attempt(_ action: @escaping @Sendable (Value) throws(Failure) -> Void) -> SignalProducer {
        derive("attempt:") {
            AttemptMapSink(
                transform: { (value) throws(Failure) in
                    try action(value)
                    return value
                }, downstream: $0)
        }
    }

    /// Like ``attempt(_:)-method``, for an action that returns a result.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter action: Called once a value, whatever the number of observers.
    @inlinable
    public func attemptResult(_ action: @escaping @Sendable (Value) -> Result<Void, Failure>) -> SignalProducer {
        derive("attemptResult:") {
            AttemptMapSink(
                transform: { (value) throws(Failure) in
                    try action(value).get()
                    return value
                }, downstream: $0)
        }
    }
}

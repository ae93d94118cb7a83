extension SignalProducer {
    /// Sends each value transformed, and fails with the first error that the transformation throws.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter transform: Called once a value, whatever the number of observers.
    @inlinable
    public func attemptMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(Failure) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("attemptMap:") { AttemptMapSink(transform: transform, downstream: $0) }
    }

    /// Like ``attemptMap(_:)``, for a transformation that returns a result.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter transform: Called once a value, whatever the number of observers.
    @inlinable
    public func attemptMapResult<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Result<NewValue, Failure>
    ) -> SignalProducer<NewValue, Failure> {
        derive("attemptMapResult:") {
            AttemptMapSink(transform: { (value) throws(Failure) in try transform(value).get() }, downstream: $0)
        }
    }
}

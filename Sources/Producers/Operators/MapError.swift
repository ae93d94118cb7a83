extension SignalProducer {
    /// Transforms the error, if there is one.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter transform: Called once at most, whatever the number of observers.
    @inlinable
    public func mapError<NewFailure>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> SignalProducer<Value, NewFailure> {
        derive("mapError:") { MapErrorSink(transform: transform, downstream: $0) }
    }
}

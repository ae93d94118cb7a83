extension SignalProducer {
    /// Transforms the error, if the source fails.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start.
    ///
    /// - Parameter transform: Called at most once, whatever the number of observers.
    @inlinable
    public func mapError<NewFailure>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> SignalProducer<Value, NewFailure> {
        derive("mapError:") { MapErrorSink(transform: transform, downstream: $0) }
    }
}

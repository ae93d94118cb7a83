extension SignalProducer {
    /// Transforms the error, if the source fails.
    ///
    /// Like ``/HotSignals/Signal/mapError(_:)`` of signals, separately for each start.
    ///
    /// - Parameter transform: Called at most once, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func mapError<NewFailure>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> SignalProducer<Value, NewFailure> {
        derive("mapError:") { MapErrorSink(transform: transform, downstream: $0) }
    }
}

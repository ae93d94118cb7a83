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
        mapEnd("mapError:") { $0.mapError(transform) }
    }
}

extension SignalProducer {
    /// A producer that ends differently.
    @_alwaysEmitIntoClient
    func mapEnd<NewFailure>(
        _ name: StaticString, _ transform: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>
    ) -> SignalProducer<Value, NewFailure> {
        derive(name) { MapEndSink(transform, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends each value as a success and the error as a failure, and cannot fail.
    ///
    /// Like ``/HotSignals/Signal/materializeResults()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func materializeResults() -> SignalProducer<Result<Value, Failure>, Never> {
        derive("materializeResults") { MaterializeResultsSink(downstream: $0) }
    }
}

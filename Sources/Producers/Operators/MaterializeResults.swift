extension SignalProducer {
    /// Sends values as successes and the error as a failure; cannot fail itself.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func materializeResults() -> SignalProducer<Result<Value, Failure>, Never> {
        derive("materializeResults") { MaterializeResultsSink(downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends the events themselves as values; cannot fail.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start. A start that is disposed of is interrupted without a value.
    @inlinable
    public func materialize() -> SignalProducer<Event<Value, Failure>, Never> {
        derive("materialize") { MaterializeSink(downstream: $0) }
    }
}

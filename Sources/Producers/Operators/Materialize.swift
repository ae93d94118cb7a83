extension SignalProducer {
    /// Sends each event as a value, and cannot fail.
    ///
    /// Like ``/HotSignals/Signal/materialize()`` of signals, separately for each start. A start that is disposed of is
    /// interrupted without sending a value.
    @_alwaysEmitIntoClient
    public func materialize() -> SignalProducer<Event<Value, Failure>, Never> {
        derive("materialize") { MaterializeSink(downstream: $0) }
    }
}

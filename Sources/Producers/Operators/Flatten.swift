extension SignalProducer where Value: Sequence, Value.Element: Sendable {
    /// Sends the elements of each value, which is a sequence, one after another.
    ///
    /// Like ``/HotSignals/Signal/flatten()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func flatten() -> SignalProducer<Value.Element, Failure> {
        derive("flatten") { FlattenSequenceSink<Value, ProducerSink<Value.Element, Failure>>(downstream: $0) }
    }
}

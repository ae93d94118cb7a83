extension SignalProducer {
    /// Drops every value and forwards only the terminal event. The value type is `Never`.
    ///
    /// Like ``/HotSignals/Signal/ignoreValues()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func ignoreValues() -> SignalProducer<Never, Failure> {
        derive("ignoreValues") { IgnoreValuesSink<Value, ProducerSink<Never, Failure>>(downstream: $0) }
    }
}

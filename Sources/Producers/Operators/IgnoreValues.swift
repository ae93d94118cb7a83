extension SignalProducer {
    /// Drops every value and forwards only the terminal event. The value type is `Never`.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start.
    @inlinable
    public func ignoreValues() -> SignalProducer<Never, Failure> {
        derive("ignoreValues") { IgnoreValuesSink<Value, ProducerSink<Never, Failure>>(downstream: $0) }
    }
}

extension SignalProducer {
    /// Drops every value, and says so in its type: only the terminal event passes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func ignoreValues() -> SignalProducer<Never, Failure> {
        derive("ignoreValues") { IgnoreValuesSink<Value, ProducerSink<Never, Failure>>(downstream: $0) }
    }
}

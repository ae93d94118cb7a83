extension SignalProducer where Value == Never {
    /// Gives a stream that sends no values a value type.
    ///
    /// Like ``/HotSignals/Signal/promoteValue(_:)`` of signals, separately for each start.
    ///
    /// - Parameter value: The value type. No value is ever sent.
    @_alwaysEmitIntoClient
    public func promoteValue<NewValue>(_ value: NewValue.Type = NewValue.self) -> SignalProducer<NewValue, Failure> {
        derive("promoteValue") { PromoteValueSink(downstream: $0) }
    }
}

extension SignalProducer where Value == Never {
    /// Gives a signal that sends no values the type of one that could.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter value: The value that it never sends.
    @inlinable
    public func promoteValue<NewValue>(_ value: NewValue.Type = NewValue.self) -> SignalProducer<NewValue, Failure> {
        derive("promoteValue") { PromoteValueSink(downstream: $0) }
    }
}

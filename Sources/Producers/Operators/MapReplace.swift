extension SignalProducer {
    /// Sends `value` in place of each value.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter value: What is sent.
    @inlinable
    public func mapReplace<NewValue: Sendable>(_ value: NewValue) -> SignalProducer<NewValue, Failure> {
        derive("mapReplace:") { MapSink(transform: { _ in value }, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends each value transformed, and drops those for which that gives nil.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter transform: Called once a value, whatever the number of observers.
    @inlinable
    public func compactMap<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue?
    ) -> SignalProducer<NewValue, Failure> {
        derive("compactMap:") { CompactMapSink(transform: transform, downstream: $0) }
    }
}

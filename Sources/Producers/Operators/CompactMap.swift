extension SignalProducer {
    /// Sends each value transformed, and drops those for which the transformation returns `nil`.
    ///
    /// Like ``/HotSignals/Signal/compactMap(_:)`` of signals, separately for each start.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func compactMap<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue?
    ) -> SignalProducer<NewValue, Failure> {
        derive("compactMap:") { CompactMapSink(transform: transform, downstream: $0) }
    }
}

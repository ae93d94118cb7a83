extension SignalProducer {
    /// Drops what is nil and unwraps the rest.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func skipNil<Wrapped: Sendable>() -> SignalProducer<Wrapped, Failure> where Value == Wrapped? {
        derive("skipNil") { CompactMapSink(transform: { $0 }, downstream: $0) }
    }
}

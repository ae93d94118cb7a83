extension SignalProducer {
    /// Drops `nil` values, and unwraps the others.
    ///
    /// Like ``/HotSignals/Signal/skipNil()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func skipNil<Wrapped: Sendable>() -> SignalProducer<Wrapped, Failure> where Value == Wrapped? {
        derive("skipNil") { CompactMapSink(transform: { $0 }, downstream: $0) }
    }
}

extension SignalProducer where Value: Comparable {
    /// Sends the largest value when the source completes.
    ///
    /// Like ``/HotSignals/Signal/max()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func max() -> SignalProducer {
        derive("max") { ExtremeSink(replaces: { $0 < $1 }, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends the largest value, according to an ordering, when the source completes.
    ///
    /// Like ``/HotSignals/Signal/max(by:)`` of signals, separately for each start.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first argument is smaller than the second. Called once per value
    ///   except the first.
    @_alwaysEmitIntoClient
    public func max(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> SignalProducer {
        derive("max(by:)") { ExtremeSink(replaces: areInIncreasingOrder, downstream: $0) }
    }
}

extension SignalProducer where Value: Comparable {
    /// Sends the smallest value when the source completes.
    ///
    /// Like ``/HotSignals/Signal/min()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func min() -> SignalProducer {
        derive("min") { ExtremeSink(replaces: { $0 > $1 }, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends the smallest value, according to an ordering, when the source completes.
    ///
    /// Like ``/HotSignals/Signal/min(by:)`` of signals, separately for each start.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first argument is smaller than the second. Called once per value
    ///   except the first.
    @_alwaysEmitIntoClient
    public func min(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> SignalProducer {
        derive("min(by:)") { ExtremeSink(replaces: { areInIncreasingOrder($1, $0) }, downstream: $0) }
    }
}

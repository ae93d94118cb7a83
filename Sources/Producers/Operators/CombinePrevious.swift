extension SignalProducer {
    /// Sends each value together with the previous one, and the first value together with `initial`.
    ///
    /// Like ``/HotSignals/Signal/combinePrevious(_:)`` of signals, separately for each start.
    ///
    /// - Parameter initial: The predecessor of the first value.
    @_alwaysEmitIntoClient
    public func combinePrevious(_ initial: Value) -> SignalProducer<(Value, Value), Failure> {
        derive("combinePrevious:") { CombinePreviousSink(initial: initial, downstream: $0) }
    }

    /// Sends each value except the first together with the previous one.
    ///
    /// Like ``/HotSignals/Signal/combinePrevious()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func combinePrevious() -> SignalProducer<(Value, Value), Failure> {
        derive("combinePrevious") { CombinePreviousSink(initial: nil, downstream: $0) }
    }
}

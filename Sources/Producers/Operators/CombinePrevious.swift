extension SignalProducer {
    /// Sends each value together with the one before it, the first one with `initial`.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter initial: What stands before the first value.
    @inlinable
    public func combinePrevious(_ initial: Value) -> SignalProducer<(Value, Value), Failure> {
        derive("combinePrevious:") { CombinePreviousSink(initial: initial, downstream: $0) }
    }

    /// Sends each value but the first together with the one before it.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func combinePrevious() -> SignalProducer<(Value, Value), Failure> {
        derive("combinePrevious") { CombinePreviousSink(initial: nil, downstream: $0) }
    }
}

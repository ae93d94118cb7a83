extension SignalProducer {
    /// Sends the result of combining all values, when the source completes.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameters:
    ///   - initial: What the first value is combined with.
    ///   - combine: Called once a value with the last result, whatever the number of observers.
    @inlinable
    public func reduce<Result: Sendable>(
        _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> SignalProducer<Result, Failure> {
        reduce(into: initial) { result, value in result = combine(result, value) }
    }

    /// Like ``reduce(_:_:)``, but changes the result in place: the form to use when it is a collection.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameters:
    ///   - initial: The result before the first value.
    ///   - update: Called once a value, whatever the number of observers.
    @inlinable
    public func reduce<Result: Sendable>(
        into initial: Result, _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> SignalProducer<Result, Failure> {
        derive("reduce:") { ReduceSink(initial: initial, update: update, downstream: $0) }
    }
}

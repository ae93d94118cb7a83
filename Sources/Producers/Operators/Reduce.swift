extension SignalProducer {
    /// Sends the result of combining all values when the source completes.
    ///
    /// Like ``/HotSignals/Signal/reduce(_:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - initial: The result that the first value is combined with.
    ///   - combine: Called once per value with the previous result, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func reduce<Result: Sendable>(
        _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> SignalProducer<Result, Failure> {
        reduce(into: initial) { result, value in result = combine(result, value) }
    }

    /// Like ``reduce(_:_:)``, but updates the result in place. Use it if the result is a collection.
    ///
    /// Like ``/HotSignals/Signal/reduce(into:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - initial: The result before the first value.
    ///   - update: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func reduce<Result: Sendable>(
        into initial: Result, _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> SignalProducer<Result, Failure> {
        derive("reduce:") { ReduceSink(initial: initial, update: update, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends every intermediate result of combining the values, starting from an initial one.
    ///
    /// Like ``/HotSignals/Signal/scan(_:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - initial: The result that the first value is combined with.
    ///   - combine: Called once per value with the previous result, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func scan<Result: Sendable>(
        _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> SignalProducer<Result, Failure> {
        scan(into: initial) { result, value in result = combine(result, value) }
    }

    /// Like ``scan(_:_:)``, but updates the result in place. Use it if the result is a collection.
    ///
    /// Like ``/HotSignals/Signal/scan(into:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - initial: The result before the first value.
    ///   - update: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func scan<Result: Sendable>(
        into initial: Result, _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> SignalProducer<Result, Failure> {
        derive("scan:") { ScanSink(initial: initial, update: update, downstream: $0) }
    }
}

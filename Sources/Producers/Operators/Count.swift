extension SignalProducer {
    /// Sends the number of values when the source completes.
    ///
    /// Like ``/HotSignals/Signal/count()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func count() -> SignalProducer<Int, Failure> {
        derive("count") { ReduceSink<Value, _>(initial: 0, update: { count, _ in count += 1 }, downstream: $0) }
    }
}

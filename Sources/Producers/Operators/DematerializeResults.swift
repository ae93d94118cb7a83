extension SignalProducer where Failure == Never {
    /// Sends the values of successes, and fails with the first failure.
    ///
    /// Like ``/HotSignals/Signal/dematerializeResults()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func dematerializeResults<NewValue, NewFailure>() -> SignalProducer<NewValue, NewFailure>
    where Value == Result<NewValue, NewFailure> {
        derive("dematerializeResults") { DematerializeResultsSink(downstream: $0) }
    }
}

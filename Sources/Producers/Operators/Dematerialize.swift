extension SignalProducer where Failure == Never {
    /// Converts values that are events into the events they represent.
    ///
    /// Like ``/HotSignals/Signal/dematerialize()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func dematerialize<NewValue, NewFailure>() -> SignalProducer<NewValue, NewFailure>
    where Value == Event<NewValue, NewFailure> {
        derive("dematerialize") { DematerializeSink(downstream: $0) }
    }
}

extension SignalProducer where Failure == Never {
    /// Turns values that are events into the events that they stand for.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    @inlinable
    public func dematerialize<NewValue, NewFailure>() -> SignalProducer<NewValue, NewFailure>
    where Value == Event<NewValue, NewFailure> {
        derive("dematerialize") { DematerializeSink(downstream: $0) }
    }
}

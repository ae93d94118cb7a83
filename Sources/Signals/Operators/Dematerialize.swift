extension Signal where Failure == Never {
    /// Converts values that are events into the events they represent.
    ///
    /// The inverse of ``Signal/materialize()``.
    ///
    /// ```marbles
    /// source                                  --1-------2-------|
    /// source.materialize()                    --<NEXT1>-<NEXT2>-<COMPLETED>|
    /// source.materialize().dematerialize()    --1-------2-------|
    /// ```
    ///
    /// The first terminal event among the values ends the signal and releases the source. If the source completes or is
    /// interrupted before that, so is the signal.
    @_alwaysEmitIntoClient
    public func dematerialize<NewValue, NewFailure>() -> Signal<NewValue, NewFailure>
    where Value == Event<NewValue, NewFailure> {
        derive("dematerialize") { DematerializeSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct DematerializeSink<Downstream: Sink>: OperatorSink {
    @usableFromInline package typealias Failure = Never
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ event: Event<Downstream.Value, Downstream.Failure>) { downstream.receive(event) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Never>) { downstream.end(termination.promoted()) }
}

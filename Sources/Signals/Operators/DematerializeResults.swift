extension Signal where Failure == Never {
    /// Sends the values of successes, and fails with the first failure.
    ///
    /// The inverse of ``Signal/materializeResults()``.
    ///
    /// ```marbles
    /// source                                                --1------------X
    /// source.materializeResults()                           --<success(1)>-<failure(X)>|
    /// source.materializeResults().dematerializeResults()    --1------------X
    /// ```
    @_alwaysEmitIntoClient
    public func dematerializeResults<NewValue, NewFailure>() -> Signal<NewValue, NewFailure>
    where Value == Result<NewValue, NewFailure> {
        derive("dematerializeResults") { DematerializeResultsSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct DematerializeResultsSink<Downstream: Sink>: OperatorSink {
    @usableFromInline package typealias Failure = Never
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ result: Result<Downstream.Value, Downstream.Failure>) {
        switch result {
        case .success(let value): downstream.next(value)
        case .failure(let error): downstream.end(.error(error))
        }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Never>) { downstream.end(termination.promoted()) }
}

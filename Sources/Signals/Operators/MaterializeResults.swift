extension Signal {
    /// Sends each value as a success and the error as a failure, and cannot fail.
    ///
    /// Like ``materialize()``, but for code that works with results: completion and interruption remain events.
    ///
    /// ```marbles
    /// source                         --1------------2------------X
    /// source.materializeResults()    --<success(1)>-<success(2)>-<failure(X)>|
    /// ```
    ///
    /// After the failure has been sent, the signal completes.
    @_alwaysEmitIntoClient
    public func materializeResults() -> Signal<Result<Value, Failure>, Never> {
        derive("materializeResults") { MaterializeResultsSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct MaterializeResultsSink<Value: Sendable, Failure: Error, Downstream: Sink>: OperatorSink
where Downstream.Value == Result<Value, Failure>, Downstream.Failure == Never {
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) { downstream.next(.success(value)) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        switch termination {
        case .error(let error):
            downstream.next(.failure(error))
            downstream.end(.completed)
        case .completed: downstream.end(.completed)
        case .interrupted: downstream.end(.interrupted)
        }
    }
}

extension Signal {
    /// Sends values as successes and the error as a failure; cannot fail itself.
    ///
    /// Like ``materialize()``, for code that speaks of results: only completion and interruption stay events.
    ///
    ///     source                  --1--------2--------X
    ///     materializeResults()    --success 1-success 2-failure X|
    ///
    /// An error completes the signal after the failure has been sent.
    @inlinable
    public func materializeResults() -> Signal<Result<Value, Failure>, Never> {
        derive("materializeResults") { MaterializeResultsSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct MaterializeResultsSink<Value: Sendable, Failure: Error, Downstream: Sink>: OperatorSink
where Downstream.Value == Result<Value, Failure>, Downstream.Failure == Never {
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(downstream: Downstream) { self.downstream = downstream }

    @inlinable @inline(__always)
    package func next(_ value: Value) { downstream.next(.success(value)) }

    @inlinable
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

extension Signal {
    /// Transforms the error, if the source fails.
    ///
    /// ```marbles
    /// source                            --1--2--X
    /// source.mapError { Failed($0) }    --1--2--X
    /// ```
    ///
    /// - Parameter transform: Called at most once, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func mapError<NewFailure>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Signal<Value, NewFailure> {
        derive("mapError:") { MapErrorSink(transform: transform, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct MapErrorSink<Failure: Error, Downstream: Sink>: OperatorSink {
    @usableFromInline let transform: @Sendable (Failure) -> Downstream.Failure
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(transform: @escaping @Sendable (Failure) -> Downstream.Failure, downstream: Downstream) {
        self.transform = transform
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) { downstream.next(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        switch termination {
        case .error(let error): downstream.end(.error(transform(error)))
        case .completed: downstream.end(.completed)
        case .interrupted: downstream.end(.interrupted)
        }
    }
}

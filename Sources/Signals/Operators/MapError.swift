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
        mapEnd("mapError:") { $0.mapError(transform) }
    }
}

extension Signal {
    /// A signal that ends differently.
    @_alwaysEmitIntoClient
    package func mapEnd<NewFailure>(
        _ name: StaticString, _ transform: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>
    ) -> Signal<Value, NewFailure> {
        derive(name) { MapEndSink(transform, downstream: $0) }
    }
}

/// Transforms the terminal event, and forwards values.
@frozen @usableFromInline
package struct MapEndSink<Failure: Error, Downstream: Sink>: OperatorSink {
    @usableFromInline let transform: @Sendable (Termination<Failure>) -> Termination<Downstream.Failure>
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        _ transform: @escaping @Sendable (Termination<Failure>) -> Termination<Downstream.Failure>,
        downstream: Downstream
    ) {
        self.transform = transform
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) { downstream.next(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { downstream.end(transform(termination)) }
}

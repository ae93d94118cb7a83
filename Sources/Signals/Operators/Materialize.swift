extension Signal {
    /// Sends each event as a value, and cannot fail.
    ///
    /// ```marbles
    /// source                  --1-------2-------|
    /// source.materialize()    --<NEXT1>-<NEXT2>-<COMPLETED>|
    /// ```
    ///
    /// A completion or an error is sent as a value, and then the signal completes. An interruption is sent as a value,
    /// and then the signal is interrupted.
    @_alwaysEmitIntoClient
    public func materialize() -> Signal<Event<Value, Failure>, Never> {
        derive("materialize") { MaterializeSink(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct MaterializeSink<Value: Sendable, Failure: Error, Downstream: Sink>: OperatorSink
where Downstream.Value == Event<Value, Failure>, Downstream.Failure == Never {
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) { downstream.next(.next(value)) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        // A start that has been disposed of is interrupted. This interruption is not sent as a value.
        if !downstream.hasEnded { downstream.next(termination.event()) }
        if case .interrupted = termination { downstream.end(.interrupted) } else { downstream.end(.completed) }
    }
}

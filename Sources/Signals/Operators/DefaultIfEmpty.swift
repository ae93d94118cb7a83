extension Signal {
    /// Sends a default value if the source completes without a value.
    ///
    /// ```marbles
    /// source                      -----|
    /// source.defaultIfEmpty(9)    -----9|
    /// ```
    ///
    /// Otherwise, forwards every event. An error or an interruption is forwarded, and the default value is not sent.
    ///
    /// - Parameter value: Sent at most once, before the completion.
    @_alwaysEmitIntoClient
    public func defaultIfEmpty(_ value: Value) -> Signal {
        derive("defaultIfEmpty:") { DefaultIfEmptySink(value: value, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct DefaultIfEmptySink<Downstream: Sink>: OperatorSink {
    /// `nil` when a value has been sent.
    @usableFromInline let substitute: SinkState<Downstream.Value?>
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(value: Downstream.Value, downstream: Downstream) {
        substitute = SinkState(.some(value))
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if substitute.value != nil { substitute.value = nil }
        downstream.next(value)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        let value = substitute.value.take()
        if case .completed = termination, let value { downstream.next(value) }
        downstream.end(termination)
    }
}

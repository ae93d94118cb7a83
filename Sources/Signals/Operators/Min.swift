extension Signal where Value: Comparable {
    /// Sends the smallest value when the source completes.
    ///
    /// ```marbles
    /// source          --2--1--3--|
    /// source.min()    -----------1|
    /// ```
    ///
    /// Of several equal values, sends the first one. Without values, only completes. An error or an interruption is
    /// forwarded, and no value is sent. Buffers one value.
    ///
    /// - SeeAlso: ``defaultIfEmpty(_:)``, for a value if there was none.
    @_alwaysEmitIntoClient
    public func min() -> Signal {
        derive("min") { ExtremeSink(replaces: { $0 > $1 }, downstream: $0) }
    }
}

extension Signal {
    /// Sends the smallest value, according to an ordering, when the source completes.
    ///
    /// ```marbles
    /// source                                      --2--1--3--|
    /// source.min { abs($0 - 3) < abs($1 - 3) }    -----------3|
    /// ```
    ///
    /// Of several equal values, sends the first one. Without values, only completes. An error or an interruption is
    /// forwarded, and no value is sent. Buffers one value.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first argument is smaller than the second. Called once per value
    ///   except the first, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func min(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        derive("min(by:)") { ExtremeSink(replaces: { areInIncreasingOrder($1, $0) }, downstream: $0) }
    }
}

/// Keeps one value, and sends it on completion.
@frozen @usableFromInline
package struct ExtremeSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let kept: SinkState<Downstream.Value?>
    /// Whether a new value replaces the kept one.
    @usableFromInline let replaces: @Sendable (_ kept: Downstream.Value, _ new: Downstream.Value) -> Bool
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        replaces: @escaping @Sendable (_ kept: Downstream.Value, _ new: Downstream.Value) -> Bool,
        downstream: Downstream
    ) {
        kept = SinkState(nil)
        self.replaces = replaces
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if let former = kept.value, !replaces(former, value) { return }
        kept.value = .some(value)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        let final = kept.value.take()
        if case .completed = termination, let final { downstream.next(final) }
        downstream.end(termination)
    }
}

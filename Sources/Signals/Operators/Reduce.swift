extension Signal {
    /// Sends the result of combining all values when the source completes.
    ///
    /// Like ``scan(_:_:)``, but sends only the last result. Without values, that is the initial one.
    ///
    /// ```marbles
    /// source                 --1--2--3--|
    /// source.reduce(0, +)    -----------6|
    /// ```
    ///
    /// An error or an interruption is forwarded, and no result is sent.
    ///
    /// - Parameters:
    ///   - initial: The result that the first value is combined with.
    ///   - combine: Called once per value with the previous result, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func reduce<Result: Sendable>(
        _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> Signal<Result, Failure> {
        reduce(into: initial) { result, value in result = combine(result, value) }
    }

    /// Like ``reduce(_:_:)``, but updates the result in place. Use it if the result is a collection.
    ///
    /// - Parameters:
    ///   - initial: The result before the first value.
    ///   - update: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func reduce<Result: Sendable>(
        into initial: Result, _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> Signal<Result, Failure> {
        derive("reduce:") { ReduceSink(initial: initial, update: update, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct ReduceSink<Value: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let result: SinkState<Downstream.Value?>
    @usableFromInline let update: @Sendable (inout Downstream.Value, Value) -> Void
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        initial: Downstream.Value, update: @escaping @Sendable (inout Downstream.Value, Value) -> Void,
        downstream: Downstream
    ) {
        result = SinkState(initial)
        self.update = update
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        if result.value != nil { update(&result.value!, value) }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        let final = result.value.take()
        if case .completed = termination, let final { downstream.next(final) }
        downstream.end(termination)
    }
}

extension Signal {
    /// Sends every intermediate result of combining the values, starting from an initial one.
    ///
    /// ```marbles
    /// source               --1--2--3--|
    /// source.scan(0, +)    --1--3--6--|
    /// ```
    ///
    /// The initial value itself is not sent. A source without values yields only its terminal event.
    ///
    /// - Parameters:
    ///   - initial: The result that the first value is combined with.
    ///   - combine: Called once per value with the previous result, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func scan<Result: Sendable>(
        _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
    ) -> Signal<Result, Failure> {
        scan(into: initial) { result, value in result = combine(result, value) }
    }

    /// Like ``scan(_:_:)``, but updates the result in place. Use it if the result is a collection.
    ///
    /// - Parameters:
    ///   - initial: The result before the first value.
    ///   - update: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func scan<Result: Sendable>(
        into initial: Result, _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> Signal<Result, Failure> {
        derive("scan:") { ScanSink(initial: initial, update: update, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct ScanSink<Value: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let result: SinkState<Downstream.Value>
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
        update(&result.value, value)
        downstream.next(result.value)
    }
}

extension Signal {
    /// Sends each value together with the previous one, and the first value together with `initial`.
    ///
    /// ```marbles
    /// source                       --1-----2-----3-----|
    /// source.combinePrevious(0)    --(0,1)-(1,2)-(2,3)-|
    /// ```
    ///
    /// - Parameter initial: The predecessor of the first value.
    @_alwaysEmitIntoClient
    public func combinePrevious(_ initial: Value) -> Signal<(Value, Value), Failure> {
        derive("combinePrevious:") { CombinePreviousSink(initial: initial, downstream: $0) }
    }

    /// Sends each value except the first together with the previous one.
    ///
    /// ```marbles
    /// source                      --1-----2-----3-----|
    /// source.combinePrevious()    --------(1,2)-(2,3)-|
    /// ```
    @_alwaysEmitIntoClient
    public func combinePrevious() -> Signal<(Value, Value), Failure> {
        derive("combinePrevious") { CombinePreviousSink(initial: nil, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct CombinePreviousSink<Value: Sendable, Downstream: Sink>: OperatorSink
where Downstream.Value == (Value, Value) {
    @usableFromInline let previous: SinkState<Value?>
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(initial: Value?, downstream: Downstream) {
        previous = SinkState(initial)
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        let former = previous.value
        previous.value = value
        if let former { downstream.next((former, value)) }
    }
}

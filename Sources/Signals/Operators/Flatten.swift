extension Signal where Value: Sequence, Value.Element: Sendable {
    /// Sends the elements of each value, which is a sequence, one after another.
    ///
    /// ```marbles
    /// source              --[1,2]-[]-[3]-|
    /// source.flatten()    --12-------3---|
    /// ```
    ///
    /// Iteration stops when the signal ends or is no longer observed. A sequence can therefore be infinite if an
    /// observer or an operator downstream ends the signal during the iteration.
    @_alwaysEmitIntoClient
    public func flatten() -> Signal<Value.Element, Failure> {
        derive("flatten") { FlattenSequenceSink<Value, CoreSink<Value.Element, Failure>>(downstream: $0) }
    }
}

@frozen @usableFromInline
package struct FlattenSequenceSink<Value: Sequence & Sendable, Downstream: Sink>: OperatorSink
where Value.Element == Downstream.Value {
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        var elements = value.makeIterator()
        // The check comes first, so that no unneeded element is computed.
        while !downstream.hasEnded, let element = elements.next() { downstream.next(element) }
    }
}

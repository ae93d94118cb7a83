extension Signal {
    /// Sends each value transformed, and drops those for which the transformation returns `nil`.
    ///
    /// ```marbles
    /// source                           --1--x--3--|
    /// source.compactMap { Int($0) }    --1-----3--|
    /// ```
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func compactMap<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue?
    ) -> Signal<NewValue, Failure> {
        derive("compactMap:") { CompactMapSink(transform: transform, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct CompactMapSink<Value: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let transform: @Sendable (Value) -> Downstream.Value?
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(transform: @escaping @Sendable (Value) -> Downstream.Value?, downstream: Downstream) {
        self.transform = transform
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        if let transformed = transform(value) { downstream.next(transformed) }
    }
}

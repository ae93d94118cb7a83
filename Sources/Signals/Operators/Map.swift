extension Signal {
    /// Sends each value transformed.
    ///
    /// ```marbles
    /// source                   --1--2--3--|
    /// source.map { $0 * 2 }    --2--4--6--|
    /// ```
    ///
    /// To transform errors, use ``mapError(_:)``. To drop some values, use ``compactMap(_:)``.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> Signal<NewValue, Failure> {
        derive("map:") { MapSink(transform: transform, downstream: $0) }
    }

    /// Sends the part of each value at a key path.
    ///
    /// For key paths that are stored in variables. A literal, as in `map(\.count)`, becomes a closure, which is faster.
    ///
    /// - Parameter keyPath: Read once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func map<NewValue: Sendable>(_ keyPath: any KeyPath<Value, NewValue> & Sendable) -> Signal<NewValue, Failure>
    {
        derive("map:") { MapSink(transform: { $0[keyPath: keyPath] }, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct MapSink<Value: Sendable, Downstream: Sink>: OperatorSink {
    @usableFromInline let transform: @Sendable (Value) -> Downstream.Value
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(transform: @escaping @Sendable (Value) -> Downstream.Value, downstream: Downstream) {
        self.transform = transform
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) { downstream.next(transform(value)) }
}

extension SignalProducer {
    /// Sends each value transformed.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @inlinable
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("map:") { MapSink(transform: transform, downstream: $0) }
    }

    /// Sends the part of each value at a key path.
    ///
    /// Like the operator on ``/HotSignals/Signal``, separately for each start.
    ///
    /// - Parameter keyPath: Read once per value, whatever the number of observers.
    @inlinable
    @_disfavoredOverload
    public func map<NewValue: Sendable>(
        _ keyPath: any KeyPath<Value, NewValue> & Sendable
    ) -> SignalProducer<NewValue, Failure> {
        derive("map:") { MapSink(transform: { $0[keyPath: keyPath] }, downstream: $0) }
    }
}

extension SignalProducer {
    /// Sends each value transformed.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter transform: Called once a value, whatever the number of observers.
    @inlinable
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("map:") { MapSink(transform: transform, downstream: $0) }
    }

    /// Sends what lies at a key path of each value.
    ///
    /// Like the operator on ``/HotSignals/Signal``, anew for each start.
    ///
    /// - Parameter keyPath: Read once a value, whatever the number of observers.
    @inlinable
    @_disfavoredOverload
    public func map<NewValue: Sendable>(
        _ keyPath: any KeyPath<Value, NewValue> & Sendable
    ) -> SignalProducer<NewValue, Failure> {
        derive("map:") { MapSink(transform: { $0[keyPath: keyPath] }, downstream: $0) }
    }
}

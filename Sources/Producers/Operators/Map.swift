extension SignalProducer {
    /// Sends each value transformed.
    ///
    /// Like ``/HotSignals/Signal/map(_:)-1ucnm`` of signals, separately for each start. To transform errors, use
    /// ``mapError(_:)``. To drop some values, use ``compactMap(_:)``.
    ///
    /// - Parameter transform: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> SignalProducer<NewValue, Failure> {
        derive("map:") { MapSink(transform: transform, downstream: $0) }
    }

    /// Sends the part of each value at a key path.
    ///
    /// Like ``/HotSignals/Signal/map(_:)-1zm6p`` of signals, separately for each start.
    ///
    /// - Parameter keyPath: Read once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func map<NewValue: Sendable>(
        _ keyPath: any KeyPath<Value, NewValue> & Sendable
    ) -> SignalProducer<NewValue, Failure> {
        derive("map:") { MapSink(transform: { $0[keyPath: keyPath] }, downstream: $0) }
    }
}

extension SignalProducer where Value: Hashable {
    /// Drops each value that has been sent before.
    ///
    /// Like ``/HotSignals/Signal/uniqueValues()`` of signals, separately for each start.
    @_alwaysEmitIntoClient
    public func uniqueValues() -> SignalProducer {
        derive("uniqueValues") { UniqueValuesSink(capacity: .max, identity: { $0 }, downstream: $0) }
    }

    /// Drops each value that is among the last `capacity` distinct ones.
    ///
    /// Like ``/HotSignals/Signal/uniqueValues(capacity:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - capacity: The number of values to remember. The oldest one is forgotten first. Traps unless positive.
    @_alwaysEmitIntoClient
    public func uniqueValues(capacity: Int) -> SignalProducer {
        require(capacity > 0, "uniqueValues(capacity: \(capacity)): the capacity must be positive")
        return derive("uniqueValues(capacity: #)", argument: capacity) {
            UniqueValuesSink(capacity: capacity, identity: { $0 }, downstream: $0)
        }
    }
}

extension SignalProducer {
    /// Drops each value whose identity has been seen before.
    ///
    /// Like ``/HotSignals/Signal/uniqueValues(_:)`` of signals, separately for each start.
    ///
    /// - Parameter identity: Called once per value. Its results are stored until the stream ends.
    @_alwaysEmitIntoClient
    public func uniqueValues<Identity: Hashable & Sendable>(
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> SignalProducer {
        derive("uniqueValues:") { UniqueValuesSink(capacity: .max, identity: identity, downstream: $0) }
    }

    /// Drops each value whose identity is among the last `capacity` distinct ones.
    ///
    /// Like ``/HotSignals/Signal/uniqueValues(capacity:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - capacity: The number of identities to remember. The oldest one is forgotten first. Traps unless positive.
    ///   - identity: Called once per value.
    @_alwaysEmitIntoClient
    public func uniqueValues<Identity: Hashable & Sendable>(
        capacity: Int,
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> SignalProducer {
        require(capacity > 0, "uniqueValues(capacity: \(capacity)): the capacity must be positive")
        return derive("uniqueValues(capacity: #)", argument: capacity) {
            UniqueValuesSink(capacity: capacity, identity: identity, downstream: $0)
        }
    }
}

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
    /// Like ``/HotSignals/Signal/uniqueValues(capacity:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - capacity: The number of values to remember. The oldest one is forgotten first. Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func uniqueValues(capacity: Int, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        require(
            capacity > 0, "uniqueValues(capacity: \(capacity)): the capacity must be positive", file: file, line: line)
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
    /// Like ``/HotSignals/Signal/uniqueValues(capacity:file:line:_:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - capacity: The number of identities to remember. The oldest one is forgotten first. Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    ///   - identity: Called once per value.
    @_alwaysEmitIntoClient
    public func uniqueValues<Identity: Hashable & Sendable>(
        capacity: Int, file: StaticString = #fileID, line: UInt = #line,
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> SignalProducer {
        require(
            capacity > 0, "uniqueValues(capacity: \(capacity)): the capacity must be positive", file: file, line: line)
        return derive("uniqueValues(capacity: #)", argument: capacity) {
            UniqueValuesSink(capacity: capacity, identity: identity, downstream: $0)
        }
    }
}

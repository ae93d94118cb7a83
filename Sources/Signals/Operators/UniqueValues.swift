extension Signal where Value: Hashable {
    /// Drops each value that has been sent before.
    ///
    /// Like ``skipRepeats()``, but compares with every earlier value, not only with the last one.
    ///
    /// ```marbles
    /// source                   --1--2--1--3--2--|
    /// source.uniqueValues()    --1--2-----3-----|
    /// ```
    ///
    /// Memory grows with every new value until the signal ends. For a bound see ``uniqueValues(capacity:)``.
    ///
    /// A value that is not equal to itself, such as a NaN, is always sent, and never stored.
    @_alwaysEmitIntoClient
    public func uniqueValues() -> Signal {
        derive("uniqueValues") { UniqueValuesSink(capacity: .max, identity: { $0 }, downstream: $0) }
    }

    /// Drops each value that is among the last `capacity` distinct ones.
    ///
    /// ```marbles
    /// source                              --1--2--1--3--1--|
    /// source.uniqueValues(capacity: 2)    --1--2-----3--1--|
    /// ```
    ///
    /// When the 3 arrives, the 1 is forgotten. A value that is not equal to itself, such as a NaN, is always sent, and
    /// never stored.
    ///
    /// - Parameters:
    ///   - capacity: The number of values to remember. The oldest one is forgotten first. Traps unless positive.
    @_alwaysEmitIntoClient
    public func uniqueValues(capacity: Int) -> Signal {
        require(capacity > 0, "uniqueValues(capacity: \(capacity)): the capacity must be positive")
        return derive("uniqueValues(capacity: #)", argument: capacity) {
            UniqueValuesSink(capacity: capacity, identity: { $0 }, downstream: $0)
        }
    }
}

extension Signal {
    /// Drops each value whose identity has been seen before.
    ///
    /// Like ``uniqueValues()``, but for values that are not hashable, or that need another notion of equality. If an
    /// identity is not equal to itself, its value is sent.
    ///
    /// - Parameter identity: Called once per value. Its results are stored until the stream ends.
    @_alwaysEmitIntoClient
    public func uniqueValues<Identity: Hashable & Sendable>(
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> Signal {
        derive("uniqueValues:") { UniqueValuesSink(capacity: .max, identity: identity, downstream: $0) }
    }

    /// Drops each value whose identity is among the last `capacity` distinct ones.
    ///
    /// If an identity is not equal to itself, its value is sent.
    ///
    /// - Parameters:
    ///   - capacity: The number of identities to remember. The oldest one is forgotten first. Traps unless positive.
    ///   - identity: Called once per value.
    @_alwaysEmitIntoClient
    public func uniqueValues<Identity: Hashable & Sendable>(
        capacity: Int,
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> Signal {
        require(capacity > 0, "uniqueValues(capacity: \(capacity)): the capacity must be positive")
        return derive("uniqueValues(capacity: #)", argument: capacity) {
            UniqueValuesSink(capacity: capacity, identity: identity, downstream: $0)
        }
    }
}

@frozen @usableFromInline
package struct UniqueValuesSink<Identity: Hashable & Sendable, Downstream: Sink>: OperatorSink {
    @frozen @usableFromInline
    struct Memory {
        @usableFromInline var seen: Set<Identity> = []
        /// The same identities in order of arrival. Empty if the capacity is unlimited.
        @usableFromInline var order = Queue<Identity>()

        @_alwaysEmitIntoClient
        init() {}
    }

    @usableFromInline let memory = SinkState(Memory())
    @usableFromInline let capacity: Int
    @usableFromInline let identity: @Sendable (Downstream.Value) -> Identity
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        capacity: Int, identity: @escaping @Sendable (Downstream.Value) -> Identity, downstream: Downstream
    ) {
        self.capacity = capacity
        self.identity = identity
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        let identity = identity(value)
        // The memory could neither find nor forget an identity that is not equal to itself.
        guard identity == identity else { return downstream.next(value) }
        guard memory.value.seen.insert(identity).inserted else { return }
        if capacity < .max {
            if memory.value.order.count == capacity, let oldest = memory.value.order.popFirst() {
                memory.value.seen.remove(oldest)
            }
            memory.value.order.append(identity)
        }
        downstream.next(value)
    }
}
